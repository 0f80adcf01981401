"""Lines that a person types while the event loop goes on."""

from __future__ import annotations

import asyncio
import io
import os
import threading
from typing import TextIO

import pytest

from dicehall.launch.typed_lines import TypedLines


async def ask_all(source: TextIO, count: int) -> list[str | None]:
    lines = TypedLines(source)
    return [await lines.ask("> ") for _ in range(count)]


def test_lines_of_a_pipe_come_one_by_one_and_then_nothing() -> None:
    reading, writing = os.pipe()
    os.write(writing, "one\r\ntwo\n\n\xe9 without an end".encode())
    os.close(writing)
    with open(reading, encoding="utf-8") as source:
        found = asyncio.run(ask_all(source, 6))
    assert found == ["one", "two", "", "é without an end", None, None]


def test_bytes_that_are_not_text_are_replaced() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"\xff\xfe3\n")
    os.close(writing)
    with open(reading, encoding="utf-8") as source:
        assert asyncio.run(ask_all(source, 1)) == ["\ufffd\ufffd3"]


def test_a_source_without_a_descriptor_is_read_as_well() -> None:
    assert asyncio.run(ask_all(io.StringIO("3\n"), 2)) == ["3", None]


def test_a_question_that_was_given_up_leaves_the_line_to_the_next_one() -> None:
    async def work() -> str | None:
        reading, writing = os.pipe()
        with open(reading, encoding="utf-8") as source:
            lines = TypedLines(source)
            first = asyncio.ensure_future(lines.ask("> "))
            await asyncio.sleep(0)
            first.cancel()
            os.write(writing, b"5\n")
            os.close(writing)
            answer = await lines.ask("> ")
            assert await lines.ask("> ") is None
            return answer

    assert asyncio.run(work()) == "5"


def test_a_source_that_is_closed_leaves_its_number_to_others() -> None:
    """The thread goes on waiting; what is opened under the same number meanwhile is not its to read."""

    async def work() -> None:
        reading, writing = os.pipe()
        source = open(reading, encoding="utf-8")  # noqa: SIM115
        lines = TypedLines(source)
        os.write(writing, b"one\n")
        assert await lines.ask("> ") == "one"
        source.close()
        other, others = os.pipe()
        assert other == reading
        os.write(writing, b"two\n")
        assert await lines.lines.get() == "two"
        os.write(others, b"for somebody else\n")
        os.close(writing)
        assert await lines.lines.get() is None
        assert os.read(other, 100) == b"for somebody else\n"
        os.close(other)
        os.close(others)

    asyncio.run(work())


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_is_said_while_a_question_is_open_has_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    async def play() -> None:
        lines = TypedLines(Terminal())
        with lines.interruption():
            print("The match begins.")
        lines.thread = threading.current_thread()  # nobody types
        question = asyncio.create_task(lines.ask("Unit> "))
        await asyncio.sleep(0)
        with lines.interruption():
            print("Bo has picked.")
        question.cancel()
        await asyncio.gather(question, return_exceptions=True)
        print("You ran out of time.")

    asyncio.run(play())
    assert capsys.readouterr().out == "The match begins.\nUnit> \nBo has picked.\nUnit> \nYou ran out of time.\n"


def test_no_prompt_is_written_where_input_is_not_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    async def ask() -> str | None:
        return await TypedLines(io.StringIO("3\n")).ask("Unit> ")

    assert asyncio.run(ask()) == "3"
    assert capsys.readouterr().out == ""
