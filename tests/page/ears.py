"""What somebody hears who does not see the page: every text that comes into a live region, in order."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import Page

LISTEN = """() => {
    const LIVE = '[aria-live], [role=log], [role=status], [role=alert]';
    const inside = node => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest(LIVE);
    const say = text => text.trim() && window.heard.push(text.trim().replaceAll(/\\s+/g, ' '));
    window.heard = [];
    new MutationObserver(changes => {
        const whole = new Set();  // a status is read as a whole when something in it changes; of a log only what is new
        const changed = node => {
            const live = node.isConnected && inside(node);
            if (live && live.matches('[role=status], [role=alert]')) whole.add(live);
            else if (live) say(node.textContent);
            else if (node.nodeType === Node.ELEMENT_NODE) node.querySelectorAll(LIVE).forEach(one => whole.add(one));
        };
        for (const {type, target, addedNodes} of changes) {
            if (type === 'characterData') changed(target);
            addedNodes.forEach(changed);
        }
        whole.forEach(live => say(live.textContent));
    }).observe(document.body, {childList: true, characterData: true, subtree: true});
    return window.told();
}"""
TOLD = """window.told = () => [...document.querySelectorAll('[aria-label="Game log, newest first"] li')]
    .map(line => line.textContent.trim()).reverse()"""
ASIDE = re.compile(
    r"seconds left for|^Connection lost|^Picked: \d+ points|^These dice do not all score|^Keep [\w ]+ to score"
)


@dataclass
class Ears:
    """Begun on a page whose story is there; what was told before is not heard again."""

    page: Page
    before: int

    @classmethod
    def on(cls, page: Page) -> Ears:
        page.evaluate(TOLD)
        page.wait_for_function("() => window.told().length > 0")
        return cls(page, len(page.evaluate(LISTEN)))

    def hear_the_story_once(self) -> None:
        """Exactly one sentence for each event; beside them only what one's own choosing and the clock bring about."""
        heard, story = self.page.evaluate("[window.heard, window.told()]")  # at one moment, so that both know as much
        spoken = [text for text in heard if not ASIDE.search(text)]
        told = story[self.before :]
        assert told
        assert spoken == told, f"said: {spoken}\nstory: {told}"
