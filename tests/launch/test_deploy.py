"""deploy/dicehall.service and deploy/nginx.conf as shipped: a real nginx in front of the hall that the unit starts.

Only what a test machine cannot have is replaced: ports, the certificate, the folder of the program and of its store.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.sync.client import ClientConnection, connect

from tests.launch.running import COMMAND, ROOT, environment
from tools.nginx import BY_HAND, MAIN, find_nginx

HOST = "example.org"
WAIT_S = 60


def nginx() -> str:
    """Without one a test is skipped, but in CI that is a failure."""
    found = find_nginx(ROOT / ".venv")
    said = f"There is no nginx here, so deploy/ was not tried. On Debian: {BY_HAND}"
    if found is None and os.environ.get("CI"):
        pytest.fail(said)
    return found or pytest.skip(said)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


# --- the two files ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unit:
    """What systemd would start."""

    command: list[str]
    environment: Mapping[str, str]


def shipped_unit(state: Path) -> Unit:
    text = (ROOT / "deploy/dicehall.service").read_text(encoding="utf-8")
    service = text.partition("[Service]")[2].partition("[Install]")[0].replace("%S", str(state))
    settings = [line.partition("=") for line in service.splitlines() if line and not line.startswith("#")]
    names = {name for name, _, _ in settings}
    assert {"ExecStart", "StateDirectory", "EnvironmentFile", "KillSignal"} <= names
    (command,) = [shlex.split(value) for name, _, value in settings if name == "ExecStart"]
    (folder,) = [value for name, _, value in settings if name == "StateDirectory"]
    (state / folder).mkdir(parents=True)
    words = [word for name, _, value in settings if name == "Environment" for word in shlex.split(value)]
    return Unit(command, dict(word.split("=", 1) for word in words))


def shipped_proxy(folder: Path, front: int, behind: Mapping[int, int], file: str = "nginx.conf") -> str:
    """The configuration with the ports and certificate of this test, and nothing else changed."""
    text = (ROOT / "deploy" / file).read_text(encoding="utf-8")
    for shipped, here in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{front} ssl;"),
        ("/etc/ssl/example.org.pem", str(folder / "cert.pem")),
        ("/etc/ssl/example.org.key", str(folder / "key.pem")),
        *((f"127.0.0.1:{port}", f"127.0.0.1:{here}") for port, here in behind.items()),
    ):
        assert text.count(shipped) == 1, shipped
        text = text.replace(shipped, here)
    return text


def write_certificate(folder: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.now()
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=2))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    kinds = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(key.private_bytes(*kinds))


# --- both running ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Site:
    port: int
    trust: ssl.SSLContext
    folder: Path  # of the certificate
    behind: int  # the port of the hall

    def ask(
        self, method: str, path: str, body: Any = None, source: str = "127.0.0.1", **headers: str
    ) -> tuple[HTTPResponse, bytes]:
        line = socket.create_connection(("127.0.0.1", self.port), WAIT_S, (source, 0))
        connection = HTTPSConnection(HOST, self.port)
        connection.sock = self.trust.wrap_socket(line, server_hostname=HOST)
        data = None if body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, data, {"host": HOST, **named})
        answer = connection.getresponse()
        read = answer.read()
        connection.close()
        return answer, read

    def guest(self, name: str, **more: str) -> tuple[HTTPResponse, dict[str, Any]]:
        answer, read = self.ask("POST", "/dice/api/accounts/guest", {"name": name}, **more)
        return answer, json.loads(read)

    def socket(self, **headers: str) -> ClientConnection:
        line = socket.create_connection(("127.0.0.1", self.port), WAIT_S)
        url = f"wss://{HOST}/dice/ws"
        return connect(url, sock=line, ssl=self.trust, server_hostname=HOST, additional_headers=headers)


@contextmanager
def process(command: list[str], **more: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(command, env=environment(**more), stdout=subprocess.PIPE, text=True) as started:
        try:
            yield started
        finally:
            started.terminate()
            assert started.wait(WAIT_S) == 0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    program, folder = nginx(), tmp_path_factory.mktemp("deploy")
    folder.chmod(0o755)
    front, behind = free_port(), free_port()
    write_certificate(folder)
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder))
    (folder / "dicehall.conf").write_text(shipped_proxy(folder, front, {8000: behind}))
    unit = shipped_unit(folder / "state")
    assert Path(unit.command[0]).name == "dicehall"
    argv = [str(behind) if word == "8000" else word for word in unit.command[1:]]
    with process([*COMMAND, *argv], **unit.environment) as hall:
        assert hall.stdout is not None
        assert hall.stdout.readline() == f"Dicehall is running at https://{HOST}/dice. Press Ctrl-C to stop.\n"
        with process([program, "-p", str(folder), "-c", str(folder / "nginx.conf")]) as proxy:
            wait_for(front, proxy)
            yield Site(front, ssl.create_default_context(cafile=str(folder / "cert.pem")), folder, behind)


@contextmanager
def several_nodes(site: Site, file: str) -> Iterator[Site]:
    """Another proxy, before a node that is down and the one that runs."""
    folder, front = site.folder / file, free_port()
    folder.mkdir()
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder))
    ports = {8001: free_port(), 8002: site.behind}
    (folder / "dicehall.conf").write_text(shipped_proxy(site.folder, front, ports, file))
    with process([nginx(), "-p", str(folder), "-c", str(folder / "nginx.conf")]) as proxy:
        wait_for(front, proxy)
        yield Site(front, site.trust, folder, site.behind)


def wait_for(port: int, proxy: subprocess.Popen[str]) -> None:
    """nginx says nothing when it is ready, so it is asked until it answers."""
    while True:
        assert proxy.poll() is None, "nginx did not start"
        try:
            socket.create_connection(("127.0.0.1", port), WAIT_S).close()
            return
        except ConnectionRefusedError:
            continue


def test_the_page_is_served_under_its_path_with_all_that_it_loads(site: Site) -> None:
    answer, page = site.ask("GET", "/dice/", accept="text/html")
    assert (answer.status, answer.headers.get_content_type()) == (200, "text/html")
    loaded = re.findall(r'(?:src|href)="(/[^"#]*)"', page.decode())
    assert loaded
    for path in loaded:
        assert path.startswith("/dice/")
        assert site.ask("GET", path)[0].status == 200, path


def test_the_path_without_its_slash_leads_to_the_page(site: Site) -> None:
    answer, _ = site.ask("GET", "/dice")
    assert answer.status == 301
    assert re.fullmatch(rf"https://{HOST}(:\d+)?/dice/", answer.headers["location"])


def test_a_link_to_a_table_the_api_and_its_document_are_under_the_path(site: Site) -> None:
    assert site.ask("GET", "/dice/t/abcdefghijkm", accept="text/html")[0].status == 200
    assert site.ask("GET", "/dice/healthz")[0].status == 200
    assert site.ask("GET", "/dice/docs")[0].status == 200
    answer, read = site.ask("GET", "/dice/openapi.json")
    assert answer.status == 200
    assert json.loads(read)["servers"] == [{"url": f"https://{HOST}/dice"}]


def test_a_cookie_belongs_to_the_path_and_to_https_and_signs_a_socket_in(site: Site) -> None:
    answer, _ = site.guest("Ann")
    assert answer.status == 200
    cookie = answer.headers["set-cookie"]
    parts = {part.strip().lower() for part in cookie.split(";")}
    assert {"path=/dice", "secure", "httponly", "samesite=strict"} <= parts
    kept = cookie.split(";")[0]
    answer, read = site.ask("GET", "/dice/api/me", cookie=kept)
    assert (answer.status, json.loads(read)["name"]) == (200, "Ann")
    with site.socket(cookie=kept, origin=f"https://{HOST}") as line:
        line.send(json.dumps({"id": 1, "do": "hello", "version": 1}))
        assert json.loads(line.recv(WAIT_S))["re"] == 1


def test_a_page_of_another_site_cannot_use_the_cookie(site: Site) -> None:
    answer, _ = site.guest("Eve")
    kept = answer.headers["set-cookie"].split(";")[0]
    answer, _ = site.ask("POST", "/dice/api/tables", {"game": "wards"}, cookie=kept, origin="https://evil.example")
    assert answer.status == 403


@pytest.mark.proof
def test_a_client_cannot_forge_its_address_and_is_not_taken_for_another(site: Site) -> None:
    """The limit on new guests counts addresses: forged ones count as the real one, and another machine is not hit."""
    forged = (site.guest("Mallory", x_forwarded_for=f"10.0.{nth // 250}.{nth % 250}")[0] for nth in range(300))
    assert any(answer.status == 429 for answer in forged)
    assert site.guest("Bo", source="127.0.0.2")[0].status == 200


def test_before_several_nodes_one_that_is_down_is_not_noticed(site: Site) -> None:
    with several_nodes(site, "nginx-nodes.conf") as nodes:
        assert [nodes.ask("GET", "/dice/healthz")[0].status for _ in range(4)] == [200] * 4
        answer, _ = nodes.guest("Cy", source="127.0.0.3")
        assert answer.status == 200
        with nodes.socket() as line:
            line.send(json.dumps({"id": 1, "do": "hello", "version": 1}))
            assert json.loads(line.recv(WAIT_S))["re"] == 1


def test_a_node_is_as_confined_as_a_single_hall_and_starts_on_its_port() -> None:
    single, node = [(ROOT / "deploy" / name).read_text() for name in ("dicehall.service", "dicehall@.service")]
    assert single.partition("NoNewPrivileges")[2] == node.partition("NoNewPrivileges")[2]
    (start,) = re.findall("ExecStart=(.*)", single)
    assert re.findall("ExecStart=(.*)", node) == [start.replace("8000", "%i")]
