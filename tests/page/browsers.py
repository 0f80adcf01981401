"""A real Chromium, and pages in it that fail a test by themselves: on an error in the console, or a foreign request."""

from __future__ import annotations

import json
import os
import re
import shutil
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    WebSocketRoute,
    expect,
)

PATIENCE_MS = 20_000  # for what has to come; a machine that tests on all its cores is slow
expect.set_options(timeout=PATIENCE_MS)
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 860}
# What a browser with a window does for every new person beside their page: half of all the work, and seen by nobody.
# The flag replaces playwright's own list, so what that keeps off the network is named, too.
UNSEEN = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup")
QUIET = ("MediaRouter", "OptimizationHints", "NetworkTimeServiceQuerying", "HttpsUpgrades", "PaintHolding")
COMMAND = "apt-get install -y chromium fonts-noto-color-emoji"
# Debian's headless shell draws the same pages with a third less work; DICEHALL_BROWSER names another one.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SETTING = "DICEHALL_BROWSER"
# What a browser writes by itself when the hall refuses something, or is away: the page says that in its own words.
REFUSAL = re.compile(r"Failed to load resource: .*\b(4\d\d|503)\b")
AWAY = re.compile(
    r"WebSocket connection to .* failed|Failed to load resource: .*\bERR_(CONNECTION|EMPTY|NETWORK|INTERNET)"
)

# What somebody chose who was here before: how fast a bot's turn is played back, and no guide to the first game.
CHOSEN = """for (const [key, value] of Object.entries({speed: '"SPEED"', guides: GUIDES}))
    if (localStorage.getItem('dicehall:' + key) === null) localStorage.setItem('dicehall:' + key, value)"""


def chromium() -> str:
    """Where the browser is; without one a test is skipped, but in CI that is a failure."""
    found = next(filter(None, map(shutil.which, [os.environ.get(SETTING, ""), *BROWSERS])), None)
    said = f"There is no chromium on the PATH, so the page was not tried. On Debian: {COMMAND}"
    if found is None and os.environ.get("CI"):
        pytest.fail(said)
    if found is None:
        pytest.skip(said)
    return found


def launch(playwright: Playwright) -> Browser:
    less = f"--disable-features={','.join((*UNSEEN, *QUIET))}"
    return playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu", less])


@dataclass  # without slots: playwright notes its listeners on it
class Visitors:
    """People with a browser each. What goes wrong in any of them is found at the end of the test."""

    browser: Browser
    url: str
    contexts: list[BrowserContext] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    may_be_away: bool = False  # a test that stops the hall says so

    def page(
        self, path: str = "/", name: str | None = None, speed: str = "instant", guided: bool = False, **options: Any
    ) -> Page:
        """A new person at an address, a guest where they have a name: `viewport` phone or desk, `color_scheme`."""
        known = {} if name is None else {"storage_state": entered(self.url, name)}
        context = self.browser.new_context(**{"viewport": DESK, "reduced_motion": "reduce", **known, **options})
        guides = "[]" if guided else '["all"]'
        context.add_init_script(CHOSEN.replace("SPEED", speed).replace("GUIDES", repr(guides)))
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        return self.tab(context, path)

    def tab(self, context: BrowserContext, path: str = "/") -> Page:
        page = context.new_page()
        page.on("console", self.heard)
        page.on("pageerror", lambda error: self.troubles.append(f"page error: {error}"))
        page.on("request", lambda request: self.asked(request.url))
        page.on("websocket", lambda socket: self.asked(socket.url))
        page.goto(self.url + path)
        return page

    def heard(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning") or self.refused(message):
            return
        self.troubles.append(f"console: {message.text}")

    def refused(self, message: ConsoleMessage) -> bool:
        """Whether the hall refused something that people ask for; a file of the page that is not there is a fault."""
        away = self.may_be_away and AWAY.search(message.text)
        asked = urlsplit(message.location["url"]).path.removeprefix(urlsplit(self.url).path)
        return bool(away or (asked.startswith(("/api/", "/world/")) and REFUSAL.search(message.text)))

    def asked(self, url: str) -> None:
        if urlsplit(url).netloc != urlsplit(self.url).netloc and not url.startswith(("data:", "blob:")):
            self.troubles.append(f"a request left the hall: {url}")

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        assert self.troubles == []


@contextmanager
def visitors(browser: Browser, url: str) -> Iterator[Visitors]:
    people = Visitors(browser, url)
    yield people
    people.close()


@dataclass
class Cable:
    """The line of one page, which can be cut and mended."""

    lines: list[WebSocketRoute] = field(default_factory=list)
    is_cut: bool = False

    def plug(self, page: Page) -> Cable:
        page.route_web_socket(re.compile(r"/ws$"), self.dialled)
        page.reload()
        return self

    def dialled(self, line: WebSocketRoute) -> None:
        if self.is_cut:
            line.close()
        else:
            line.connect_to_server()
            self.lines.append(line)

    def cut(self) -> None:
        self.is_cut = True
        for line in self.lines:
            line.close()
        self.lines.clear()

    def mend(self) -> None:
        self.is_cut = False


@dataclass
class SlowLooks:
    """The line of one page on which no answer to a look arrives."""

    asked: set[int] = field(default_factory=set)

    def plug(self, page: Page) -> SlowLooks:
        page.route_web_socket(re.compile(r"/ws$"), self.dialled)
        page.reload()
        return self

    def dialled(self, line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def sent(message: str | bytes) -> None:
            said = json.loads(message)
            if said["do"] == "look":
                self.asked.add(said["id"])
            server.send(message)

        def received(message: str | bytes) -> None:
            if json.loads(message).get("re") not in self.asked:
                line.send(message)

        line.on_message(sent)
        server.on_message(received)

    def wait(self, page: Page) -> None:
        """Until the page has asked how the table stands."""
        for _ in range(1000):
            if self.asked:
                return
            page.evaluate("() => new Promise(requestAnimationFrame)")
        raise AssertionError("The page did not look at its table again.")


def entered(url: str, name: str) -> Any:
    """What a browser keeps of somebody who came in as a guest."""
    asked = urllib.request.Request(f"{url}/api/accounts/guest", json.dumps({"name": name}).encode())
    with urllib.request.urlopen(asked) as answer:
        told = json.loads(answer.read())
    address = urlsplit(url)
    cookie = {"name": "dicehall", "value": told["token"], "domain": address.hostname, "path": address.path or "/"}
    kept = {"name": "dicehall:me", "value": json.dumps(told["account"])}
    origin = {"origin": f"{address.scheme}://{address.netloc}", "localStorage": [kept]}
    return {"cookies": [{**cookie, "httpOnly": True, "sameSite": "Strict"}], "origins": [origin]}


def guest(page: Page, name: str) -> None:
    """Sign in as a guest of this name, as one tap does it, and stay on the page."""
    entered = page.evaluate(
        """async ([url, name]) => {
            const answer = await fetch(url, {method: 'POST', headers: {'content-type': 'application/json'},
                                             body: JSON.stringify({name})});
            const {account} = await answer.json();
            localStorage.setItem('dicehall:me', JSON.stringify(account));
            return account.name;
        }""",
        [prefix_of(page) + "/api/accounts/guest", name],
    )
    page.reload()
    expect(page.get_by_role("link", name=entered)).to_be_visible()


def prefix_of(page: Page) -> str:
    content = page.locator("meta[name=prefix]").get_attribute("content") or "/"
    return content.rstrip("/")


def axe(page: Page) -> None:
    """No rule of accessibility is broken on this page once whatever moves or fades has come to rest."""
    page.evaluate(
        """() => Promise.all(document.getAnimations()
            .filter(one => one.effect.getComputedTiming().endTime !== Infinity)
            .map(one => one.finished.catch(() => null)))"""
    )
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
