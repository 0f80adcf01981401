"""How commands speak: JSON lines for programs, one sentence when something is wrong."""

from __future__ import annotations

import io
import os
import shutil
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import fill
from typing import Any, BinaryIO

import msgspec


class Failed(Exception):
    """A command cannot continue; the sentence is for a person, the code for a shell."""

    def __init__(self, sentence: str, code: int = 2) -> None:
        super().__init__(sentence)
        self.code = code


class Help(RawDescriptionHelpFormatter):
    """Fits paragraphs to the width of the terminal, and keeps the line breaks of examples, whose lines are indented.
    A module's docstring is a description without its first words."""

    def add_text(self, text: str | None) -> None:
        _, command, rest = (text or "").rpartition("``: ")
        super().add_text(rest[:1].upper() + rest[1:] if command else text)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n\n".join(filled(paragraph, width, indent) for paragraph in text.strip("\n").split("\n\n"))


def filled(paragraph: str, width: int, indent: str) -> str:
    lines = paragraph.splitlines()
    if any(line.startswith(" ") for line in lines):
        return "\n".join(indent + line for line in lines)
    return fill(" ".join(lines), width, initial_indent=indent, subsequent_indent=indent)


def complain(sentence: str) -> None:
    """On standard error; on a terminal, no word is broken at its edge."""
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        sentence = fill(sentence, width, break_long_words=False, break_on_hyphens=False)
    print(sentence, file=sys.stderr)


def write_json(value: Any) -> None:
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def read_input(file: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``."""
    with open_input(file) as source, readable(file):
        return source.read()


@contextmanager
def open_input(file: str) -> Iterator[BinaryIO]:
    """A file, or standard input, which stays open."""
    if file == "-":
        yield sys.stdin.buffer if sys.stdin else io.BytesIO()
        return
    with readable(file):
        source = open(file, "rb")  # noqa: SIM115  # closed below
    with source:
        yield source


@contextmanager
def readable(file: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Failed(f"{file} cannot be read: {(error.strerror or str(error)).lower()}.") from None


def prepare_output() -> None:
    """Streams that take what is written: none may be closed, and files and pipes get UTF-8 whatever the locale."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  # for as long as the program runs
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="replace")


def forget_output() -> None:
    """Nobody takes what is still to be written, so that Python does not try again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
