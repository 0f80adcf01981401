"""How commands speak: JSON lines for programs, one sentence when something is wrong."""

from __future__ import annotations

import sys
from argparse import RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

import msgspec


class Failed(Exception):
    """A command cannot go on; the sentence is for a person, the code for a shell."""

    def __init__(self, sentence: str, code: int = 2) -> None:
        super().__init__(sentence)
        self.code = code


class Help(RawDescriptionHelpFormatter):
    """Keeps the line breaks of examples."""


def write_json(value: Any) -> None:
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")


def read_input(file: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise Failed(f"{file} cannot be read: {(error.strerror or str(error)).lower()}.") from None
