"""A browser extension with a Nostr key (NIP-07), played by this process: what it signs is signed by Python."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

from dicehall.nostr.events import encode_event, sign_event
from dicehall.nostr.keys import SecretKey

EXTENSION = """
window.nostr = {
    getPublicKey: () => window.nostrExtension('getPublicKey', null),
    signEvent: async (event) => {
        const signed = await window.nostrExtension('signEvent', event);
        if (signed === null) throw new Error('The user rejected the request.');
        return signed;
    },
};
"""


@dataclass  # without slots: playwright keeps the bound method
class NostrExtension:
    key: SecretKey = field(default_factory=SecretKey.generate)
    asked: list[dict[str, Any]] = field(default_factory=list)  # the events it was asked to sign
    is_refused: bool = False  # whether its person says no

    def install(self, page: Page) -> NostrExtension:
        page.context.expose_function("nostrExtension", self.answer)
        page.context.add_init_script(EXTENSION)
        page.reload()
        return self

    def answer(self, method: str, event: dict[str, Any] | None) -> Any:
        if event is None:
            return self.key.public_hex
        self.asked.append(event)
        if self.is_refused:
            return None
        tags = tuple(tuple(tag) for tag in event["tags"])
        signed = sign_event(self.key, event["created_at"], event["kind"], tags, event["content"])
        return json.loads(encode_event(signed))
