"""Nostr keys for the doors of a hall, which may not import the room of Nostr themselves."""

from __future__ import annotations

from dicehall.core.game import Refused
from dicehall.hall.codes import Code
from dicehall.hall.keys import SignedEvent, nostr_to_der
from dicehall.nostr.http_auth import TOLERANCE_S, NotAuthorized, author_of
from dicehall.nostr.keys import InvalidKey, npub_of, parse_public


class NostrSignIn:
    def verify(self, header: str, url: str, method: str, now_s: int, body: bytes) -> SignedEvent:
        try:
            event = author_of(header, url, method, now_s, body)
        except NotAuthorized as error:
            raise Refused(Code.NOT_SIGNED_IN, str(error)) from None
        key = nostr_to_der(bytes.fromhex(event.pubkey))
        expires = (event.created_at + TOLERANCE_S + 1) * 1000  # the first moment at which it is too old
        return SignedEvent(bytes.fromhex(event.id), key, npub_of(event.pubkey), expires)

    def npub(self, public_key: bytes) -> str:
        return npub_of(public_key.hex())

    def parse(self, text: str) -> bytes:
        try:
            return bytes.fromhex(parse_public(text))
        except InvalidKey as error:
            raise Refused(Code.BAD_REQUEST, str(error)) from None
