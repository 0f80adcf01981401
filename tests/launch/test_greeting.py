"""What ``dicehall serve`` says, and when: one line once the hall answers, then hints and a QR code for people."""

from __future__ import annotations

import asyncio
import os
import pty
import select
import signal
import subprocess
import urllib.request
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dicehall.games import catalogue
from dicehall.launch import greeting
from dicehall.launch.greeting import greet
from dicehall.launch.listening import listen, serve, shown_host
from dicehall.launch.serving import Running, put_together
from dicehall.server.parts import Settings
from dicehall.store.sqlite import SqliteJournal
from tests.launch.running import COMMAND, environment, run

READY = "Dicehall is running at {}. Press Ctrl-C to stop.\n"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_a_hall_that_only_this_machine_reaches_shows_no_qr_code_but_says_how_phones_could_join(
    host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    greet(f"http://{host}:8000", "hall.db", terminal=True)
    said = capsys.readouterr().out
    assert said.startswith(READY.format(f"http://{host}:8000"))
    assert "Games are stored in hall.db." in said
    assert "--host 0.0.0.0" in said
    assert "█" not in said


@pytest.mark.parametrize("url", ["http://192.168.1.7:8000", "https://example.org/dice"])
def test_a_hall_that_others_reach_shows_its_address_for_a_camera(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    greet(url, "hall.db", terminal=True)
    said = capsys.readouterr().out
    assert said.startswith(READY.format(url))
    assert "Join from a phone:\n█" in said


def test_a_log_file_gets_the_one_line_and_no_qr_code(capsys: pytest.CaptureFixture[str]) -> None:
    greet("http://192.168.1.7:8000", "hall.db", terminal=False)
    assert capsys.readouterr().out == READY.format("http://192.168.1.7:8000")


def test_an_address_of_the_new_kind_stands_in_brackets() -> None:
    assert shown_host("::1") == "[::1]"
    assert shown_host("192.168.1.7") == "192.168.1.7"


# --- when it is said -------------------------------------------------------------------------------------------------


@contextmanager
def hall_in(folder: Path) -> Iterator[Running]:
    journal = SqliteJournal(str(folder / "hall.db"))
    yield put_together(journal, catalogue(), Settings())
    journal.close()


async def answer_of(port: int) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
    line = await reader.readline()
    writer.close()
    return line


def test_a_hall_is_called_running_only_once_it_has_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    start = Running.start

    async def started(running: Running) -> None:
        await start(running)
        order.append("started")

    monkeypatch.setattr(Running, "start", started)

    async def play() -> bytes:
        with hall_in(tmp_path) as running:
            listening = listen("127.0.0.1", 0)
            ready = asyncio.Event()

            def greeted() -> None:
                order.append("greeted")
                ready.set()

            served = asyncio.create_task(serve(running, listening, greeted, 0))
            await ready.wait()
            answer = await answer_of(listening.getsockname()[1])
            signal.raise_signal(signal.SIGTERM)
            assert await served
        return answer

    assert asyncio.run(play()) == b"HTTP/1.1 200 OK\r\n"
    assert order == ["started", "greeted"]


def test_a_hall_that_cannot_start_is_never_called_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(running: Running) -> None:
        raise RuntimeError("the disk is gone")

    monkeypatch.setattr(Running, "start", fails)
    greeted: list[str] = []
    with hall_in(tmp_path) as running, listen("127.0.0.1", 0) as listening:
        assert not asyncio.run(serve(running, listening, lambda: greeted.append("greeted"), 0))
    assert not greeted


def on_a_terminal(*argv: str) -> tuple[subprocess.Popen[bytes], int]:
    ours, theirs = pty.openpty()
    started = subprocess.Popen([*COMMAND, *argv], stdin=theirs, stdout=theirs, stderr=theirs, env=environment())
    os.close(theirs)
    return started, ours


def read_until(terminal: int, wanted: bytes) -> bytes:
    seen = b""
    while wanted not in seen:
        assert select.select([terminal], [], [], 60)[0], seen
        seen += os.read(terminal, 4096)
    return seen


def test_on_a_terminal_nothing_comes_before_the_ready_line_and_no_line_is_json(tmp_path: Path) -> None:
    hall, terminal = on_a_terminal("serve", "--port", "0", "--db", str(tmp_path / "hall.db"))
    try:
        seen = read_until(terminal, b"--host 0.0.0.0.").decode()
        first = seen.splitlines()[0]
        url = first.split()[4].rstrip(".")
        assert first == READY.format(url).strip()
        with urllib.request.urlopen(f"{url}/readyz", timeout=30) as answer:
            assert answer.status == 200
        hall.send_signal(signal.SIGINT)
        assert hall.wait(60) == 0
    finally:
        hall.kill()
        hall.wait()
    assert "{" not in seen
    os.close(terminal)


# --- a browser -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("works", [True, False])
def test_a_browser_is_opened_at_the_address_or_the_person_is_asked_to(
    works: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: asked.append(url) or works)  # type: ignore[func-returns-value]
    greeting.show_page("http://127.0.0.1:8000")
    assert asked == ["http://127.0.0.1:8000"]
    said = capsys.readouterr().err
    assert said == ("" if works else "No browser could be started. Open http://127.0.0.1:8000 yourself.\n")


def test_open_asks_for_a_browser_once_the_hall_is_running(tmp_path: Path) -> None:
    note = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {note}.part && mv {note}.part {note}\nkill -TERM "$PPID"\n')
    browser.chmod(0o755)
    ran = subprocess.run(
        [*COMMAND, "serve", "--port", "0", "--db", str(tmp_path / "hall.db"), "--open"],
        env=environment(BROWSER=str(browser)),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == READY.format(note.read_text().strip())


# --- where it listens ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("port", ["99999", "-1", "65536", "abc", "1e30", "80.5"])
def test_a_port_that_cannot_be_is_refused_in_a_sentence(port: str) -> None:
    ran = run("serve", "--port", port)
    assert (ran.code, ran.err) == (2, f"dicehall: --port must be a whole number from 0 to 65535, not {port!r}.\n")


def test_a_port_that_is_taken_is_named() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        ran = run("serve", "--port", str(port))
    assert (ran.code, ran.err) == (
        1,
        f"dicehall: Cannot listen on 127.0.0.1:{port}: address already in use. Choose another port.\n",
    )


def test_a_name_that_leads_nowhere_is_told_in_a_sentence() -> None:
    """Python's own words name the address a second time, as a tuple."""
    ran = run("serve", "--host", "nowhere.invalid", "--port", "0")
    assert ran.code == 1
    assert ran.err.startswith("dicehall: Cannot listen on nowhere.invalid:0: ")
    assert "while attempting" not in ran.err
