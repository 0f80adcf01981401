"""Screenshots of the page: `make screens` writes every screen to docs/screens, or look at a few quickly.

.venv/bin/python -m tools.screens
.venv/bin/python -m tools.screens --scene lobby over --width 320 768 1920 --out looks [--dark] [--page FOLDER]
.venv/bin/python -m tools.screens --german --first --phone --light --out looks
.venv/bin/python -m tools.screens --look /play/wards /me --out looks [--phone] [--forced]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any, Literal, TypeAlias

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from dicehall.server.webpage import BUILT
from tests.page.browsers import DESK, PHONE, Visitors, launch
from tests.page.halls import page_hall
from tools.scenes import SCENES, Scene, newcomer

ROOT = Path(__file__).resolve().parents[1]
SIZES: dict[str, ViewportSize] = {
    "phone": {"width": PHONE["width"], "height": PHONE["height"]},
    "desk": {"width": DESK["width"], "height": DESK["height"]},
}
Light = Literal["light", "dark"]
LIGHTS: list[Light] = ["light", "dark"]
Look: TypeAlias = tuple[str, ViewportSize, Light]


def main(arguments: list[str]) -> int:
    options = parsed(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    names = options.look or options.scene or [*SCENES]
    with sync_playwright() as playwright:
        browser = launch(playwright)
        failed = [name for name in names if not take(browser, options, name)]
        browser.close()
    print(f"Not taken: {', '.join(failed)}" if failed else "All taken.", flush=True)
    return 1 if failed else 0


def parsed(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--look", nargs="+", metavar="ADDRESS", default=[], help="only these addresses")
    parser.add_argument(
        "--scene", nargs="+", choices=[*SCENES], metavar="SCENE", help=f"only these: {', '.join(SCENES)}"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "screens")
    parser.add_argument("--phone", action="store_true", help="only as a phone shows it")
    parser.add_argument("--desk", action="store_true", help="only as a desk shows it")
    parser.add_argument(
        "--width", nargs="+", type=int, metavar="PX", default=[], help="screens of these widths instead"
    )
    parser.add_argument("--dark", action="store_true", help="only at night")
    parser.add_argument("--light", action="store_true", help="only by day")
    parser.add_argument("--forced", action="store_true", help="in the forced colours of a system")
    parser.add_argument("--german", action="store_true", help="in German, as after a reload: dialogs are closed")
    parser.add_argument("--first", action="store_true", help="only what is seen without scrolling")
    parser.add_argument("--page", type=Path, default=BUILT, help="where the page was built")
    return parser.parse_args(arguments)


def looks(options: argparse.Namespace) -> list[Look]:
    """Every size and light that is wanted, with the words for it in a file's name."""
    widths: dict[str, ViewportSize] = {
        str(width): {"width": width, "height": DESK["height"]} for width in options.width
    }
    chosen = {name: size for name, size in SIZES.items() if getattr(options, name)}
    lights = [light for light in LIGHTS if getattr(options, light)] or LIGHTS
    return [(f"{name}-{light}", size, light) for name, size in (widths or chosen or SIZES).items() for light in lights]


def take(browser: Browser, options: argparse.Namespace, name: str) -> bool:
    """One screen from a hall of its own, in all looks; whether it could be taken."""
    scene: Scene = newcomer(name) if options.look else SCENES[name]
    _, size, light = looks(options)[0]
    more: dict[str, Any] = {"viewport": size, "color_scheme": light}
    if options.forced:
        more["forced_colors"] = "active"
    file = name.strip("/").replace("/", "-") or "front"
    taken = True
    with tempfile.TemporaryDirectory() as folder, page_hall(Path(folder), built=options.page) as hall:
        people = Visitors(browser, hall.url)
        try:
            page = scene(people, hall, more)
            if options.german:
                speak_german(page)
            part = (page.viewport_size or size)["height"] / size["height"]  # of the screen; a keyboard takes some
            for look in looks(options):
                shoot(page, look, part, options.out / f"{file}-{look[0]}.png", whole=not options.first)
        except Exception as error:  # the other screens are wanted all the same
            taken = False
            print(f"{name}: {error}", file=sys.stderr, flush=True)
        for trouble in people.troubles:
            print(f"{name}: {trouble}", file=sys.stderr, flush=True)
        people.troubles.clear()
        people.close()
    return taken


def speak_german(page: Page) -> None:
    page.evaluate("""localStorage.setItem('dicehall:language', '"de"')""")
    page.reload()
    page.wait_for_load_state("networkidle")


def shoot(page: Page, look: Look, part: float, file: Path, *, whole: bool) -> None:
    """The whole page, as a screen that is tall enough would show it; a dialog as it stands over its page."""
    _, size, light = look
    height = int(size["height"] * part)
    page.emulate_media(color_scheme=light)
    page.set_viewport_size({"width": size["width"], "height": height})
    page.wait_for_timeout(300)
    if whole and part == 1 and page.locator("dialog[open]").count() == 0:
        page.evaluate("scrollTo(0, 0)")
        tall = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": size["width"], "height": max(height, tall)})
    page.wait_for_timeout(350)  # dice come to rest
    page.screenshot(path=file)
    print(file, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
