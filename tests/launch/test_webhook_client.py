"""One webhook over real sockets: where it may go, and what a receiver can do to the hall that sends it."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from dicehall.hall.deliveries import NotSent
from dicehall.hall.webhooks import Mode
from dicehall.launch.webhook_client import MAX_HEAD_BYTES, Lookups, WebhookClient

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
OK = b"HTTP/1.1 204 No Content\r\n\r\n"


class Resolver:
    """Says what it was told, and remembers whom it was asked for."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = list(addresses)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        return self.addresses


@asynccontextmanager
async def listening(serve: Serve, **more: Any) -> Any:
    """A server on a free port; whatever it still does in the end is ended."""
    serving: set[asyncio.Task[Any]] = set()

    async def serve_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.add(asyncio.current_task())  # type: ignore[arg-type]
        try:
            with suppress(OSError, EOFError):
                await serve(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(serve_one, "127.0.0.1", 0, **more)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        for _ in range(5):  # connections that were aborted are gone after some turns of the loop
            await asyncio.sleep(0)


def answering(answer: bytes, requests: list[bytes] | None = None) -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if requests is not None:
            requests.append(head + await reader.readexactly(2))
        writer.write(answer)
        writer.write_eof()

    return serve


async def outcome(client: WebhookClient, url: str) -> int | str:
    try:
        return await client.send(url, {"webhook-id": "t1.ended"}, b"{}")
    except NotSent as failure:
        return failure.problem


def sent_to(serve: Serve, *, mode: Mode = "any", seconds: float = 20.0, host: str = "127.0.0.1") -> int | str:
    async def story() -> int | str:
        async with listening(serve) as port:
            return await outcome(WebhookClient(mode, seconds=seconds), f"http://{host}:{port}/hook?a=b")

    return asyncio.run(story())


def test_a_request_says_what_it_should_and_its_status_is_the_answer() -> None:
    requests: list[bytes] = []
    assert sent_to(answering(OK, requests)) == 204
    head = requests[0].decode()
    assert head.startswith("POST /hook?a=b HTTP/1.1\r\n")
    assert "\r\nhost: 127.0.0.1:" in head
    assert "\r\nwebhook-id: t1.ended\r\n" in head
    assert head.endswith("\r\n\r\n{}")


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (b"HTTP/1.1 500 Oh no\r\n\r\n", 500),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + OK, 204),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n", 302),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n" + b"x" * 100_000, 200),
        (b"HTTP/1.1 200 OK\r\n" + b"X-Long: y\r\n" * (MAX_HEAD_BYTES // 5), "answer"),
        (b"HTTP/1.1 200 " + b"k" * 2 * MAX_HEAD_BYTES, "answer"),
        (b"SSH-2.0-OpenSSH_9\r\n", "answer"),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n", "answer"),
        (b"HTTP/1.1 20", "answer"),
        (b"", "answer"),
    ],
)
def test_of_an_answer_only_the_status_counts_and_it_must_come_soon(answer: bytes, found: int | str) -> None:
    assert sent_to(answering(answer)) == found


def test_a_receiver_that_never_answers_is_given_up() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    assert sent_to(silent, seconds=0.2) == "time"


def test_a_receiver_that_answers_byte_by_byte_has_no_more_time_than_others() -> None:
    async def dripping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 ")
        while not writer.transport.is_closing():
            writer.write(b"k")
            await asyncio.sleep(0.01)

    assert sent_to(dripping, seconds=0.3) == "time"


def test_nobody_there_is_a_problem_of_the_connection() -> None:
    async def story() -> None:
        async with listening(answering(OK)) as port:
            pass
        assert await outcome(WebhookClient("any"), f"http://127.0.0.1:{port}/") == "connection"
        assert await outcome(WebhookClient("any"), "http://no-such-name.invalid/") == "connection"

    asyncio.run(story())


@pytest.mark.parametrize(
    "addresses",
    [
        ("127.0.0.1",),
        ("8.8.8.8", "127.0.0.1"),
        ("10.0.0.1", "8.8.8.8"),
        ("::1",),
        ("::ffff:127.0.0.1",),
        ("169.254.169.254",),
        (),
    ],
)
def test_a_name_is_refused_unless_every_address_it_resolves_to_is_public(addresses: tuple[str, ...]) -> None:
    """The port has no receiver: were a connection tried, that would be another problem."""
    resolver = Resolver(*addresses)
    client = WebhookClient("public", resolver, seconds=20)
    assert asyncio.run(outcome(client, "https://hooks.example.org:4433/")) == "address"
    assert resolver.asked == ["hooks.example.org"]


def test_this_machine_is_refused_by_its_own_names() -> None:
    async def story() -> None:
        assert "127.0.0.1" in await Lookups().resolve("localhost", 80)
        for host in ("2130706433", "0x7f000001", "127.1", "localhost"):
            assert await outcome(WebhookClient("public", seconds=20), f"https://{host}:4433/") == "address"

    asyncio.run(story())


def certificate(folder: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """TLS for a server with this name, and for a client that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject, now = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]), datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    pem = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(*pem))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return server, ssl.create_default_context(cafile=str(folder / "cert.pem"))


@pytest.mark.parametrize(
    ("host", "trusted", "found"),
    [
        ("hooks.example.org", True, 204),
        ("other.example.org", True, "connection"),
        ("hooks.example.org", False, "connection"),
    ],
)
def test_over_https_the_certificate_must_be_valid_for_the_name_although_an_address_is_dialled(
    tmp_path: Path, host: str, trusted: bool, found: int | str
) -> None:
    server, client = certificate(tmp_path, "hooks.example.org")

    async def story() -> None:
        async with listening(answering(OK), ssl=server) as port:
            tls = client if trusted else ssl.create_default_context()
            sender = WebhookClient("any", Resolver("127.0.0.1"), tls=tls)
            assert await outcome(sender, f"https://{host}:{port}/") == found

    asyncio.run(story())
