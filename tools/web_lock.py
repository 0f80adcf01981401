"""Writes web/package-lock.json anew: `make web-lock`, after a change of web/package.json.

Only versions that are a month old are taken: the newest of some packages are not there for every platform yet, and
`npm ci` then refuses its own lock. Addresses are left out, so that the lock holds for every mirror.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tools.build_page import NotBuilt, run

WEB = Path(__file__).resolve().parents[1] / "web"
MONTH = timedelta(days=30)


def main() -> int:
    lock = WEB / "package-lock.json"
    before = (datetime.now(UTC) - MONTH).date().isoformat()
    try:
        run(("npm", "install", "--package-lock-only", f"--before={before}"), WEB, Path(sys.executable).parent)
    except NotBuilt as trouble:
        print(trouble, file=sys.stderr)
        return 1
    lock.write_text(without_addresses(lock.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def without_addresses(text: str) -> str:
    lock = json.loads(text)
    for package in lock["packages"].values():
        package.pop("funding", None)
        package.pop("resolved", None)
    return json.dumps(lock, indent=2) + "\n"


if __name__ == "__main__":
    sys.exit(main())
