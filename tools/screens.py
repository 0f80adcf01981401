"""Screenshots of the page: `make screens` writes every screen to docs/screens, or look at a few addresses quickly.

.venv/bin/python -m tools.screens
.venv/bin/python -m tools.screens --look /play/wards /me --out /tmp/looks [--phone] [--dark] [--page FOLDER]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from dicehall.server.webpage import BUILT
from tests.page.browsers import DESK, PHONE, Visitors, launch
from tests.page.halls import page_hall
from tools.scenes import SCENES

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--look", nargs="+", metavar="ADDRESS", help="only these addresses")
    parser.add_argument("--scene", nargs="+", choices=[*SCENES], help="only these scenes")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "screens")
    parser.add_argument("--phone", action="store_true", help="only as a phone shows it")
    parser.add_argument("--desk", action="store_true", help="only as a desk shows it")
    parser.add_argument("--dark", action="store_true", help="only at night")
    parser.add_argument("--light", action="store_true", help="only by day")
    parser.add_argument("--page", type=Path, default=BUILT, help="where the page was built")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for look in looks(options):
            take(browser, options, *look)
        browser.close()
    return 0


def looks(options: argparse.Namespace) -> list[tuple[str, str]]:
    sizes = [size for size in ("phone", "desk") if getattr(options, size)] or ["phone", "desk"]
    lights = [light for light in ("light", "dark") if getattr(options, light)] or ["light", "dark"]
    return [(size, light) for size in sizes for light in lights]


def take(browser: Browser, options: argparse.Namespace, size: str, light: str) -> None:
    """All screens in one size and light, each from a hall of its own."""
    more: dict[str, Any] = {"viewport": PHONE if size == "phone" else DESK, "color_scheme": light}
    wanted = {} if options.look else {name: SCENES[name] for name in options.scene or SCENES}
    with tempfile.TemporaryDirectory() as folder, page_hall(Path(folder), built=options.page) as hall:
        people = Visitors(browser, hall.url)
        for address in options.look or ():
            page = people.page(address, **more)
            shoot(page, options.out, f"{address.strip('/').replace('/', '-') or 'lobby'}-{size}-{light}")
        for name, scene in wanted.items():
            shoot(scene(people, hall, more), options.out, f"{name}-{size}-{light}")
        for trouble in people.troubles:
            print(trouble, file=sys.stderr)
        people.troubles.clear()
        people.close()


def shoot(page: Page, out: Path, name: str) -> None:
    page.wait_for_load_state("networkidle")
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(700)  # dice come to rest
    page.screenshot(path=out / f"{name}.png", full_page=True)
    print(out / f"{name}.png", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
