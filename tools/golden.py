"""Writes the expected answers of the golden games: what ``dicehall replay`` prints, beside each record.

    python -m tools.golden [PART]

Only records whose name has PART in it, or all. `tests/golden/test_golden.py` compares; read the diff before you
keep what has changed.
"""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stdout
from pathlib import Path

from dicehall.games import catalogue
from dicehall.launch.main import main as dicehall

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"


def records(folder: Path = GOLDEN) -> list[Path]:
    return sorted(folder.glob("*/*.json"))


def answers_file(record: Path) -> Path:
    return record.with_suffix(".answers.jsonl")


def left_over(folder: Path = GOLDEN) -> list[Path]:
    """Answers whose record is gone."""
    wanted = {answers_file(record) for record in records(folder)}
    return sorted(set(folder.glob("*/*.answers.jsonl")) - wanted)


def answers(record: Path) -> str:
    """What the command prints for a record, line by line."""
    out = io.StringIO()
    with redirect_stdout(out):
        dicehall(["replay", str(record)], catalogue())
    return out.getvalue()


def write(record: Path) -> bool:
    """Whether the answers were not there or were others."""
    file, told = answers_file(record), answers(record)
    if file.exists() and file.read_text(encoding="utf-8") == told:
        return False
    file.write_text(told, encoding="utf-8", newline="\n")
    return True


def main(part: str = "") -> int:
    asked = [record for record in records() if part in f"{record.parent.name}/{record.stem}"]
    written = [record for record in asked if write(record)]
    for record in written:
        print(f"written: {answers_file(record).relative_to(GOLDEN)}")
    gone = [] if part else left_over()
    for file in gone:
        file.unlink()
        print(f"removed: {file.relative_to(GOLDEN)}")
    print(f"{len(asked)} records, {len(written)} answers changed, {len(gone)} removed.")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
