"""Endpoints for accounts: signing in and out, my account, and its keys."""

from __future__ import annotations

from typing import Any

from dicehall.core.game import Refused
from dicehall.hall.keys import SignedEvent, nostr_from_der, nostr_to_der, to_der
from dicehall.hall.people import Entered as PersonEntered
from dicehall.hall.sessions import Token
from dicehall.server import bodies
from dicehall.server.endpoints import Call, Endpoint
from dicehall.server.parts import ServerParts
from dicehall.table.requests import Code

Asked = Call[ServerParts]
NPUB_LENGTH = 64  # of a Nostr key in hex; an npub has 63 characters, an Ed25519 key in DER more


def entered(person: PersonEntered) -> bodies.Entered:
    return bodies.Entered(token=person.token.text, account=bodies.show_account(person.account))


async def guest(call: Asked) -> bodies.Entered:
    call.parts.limits.take("enter", call.address)
    return entered(await call.parts.guests.enter(call.body.name, call.body.id, call.address))


async def sign_up(call: Asked) -> bodies.Entered:
    """A new account; a guest who signs up keeps everything they had."""
    call.parts.limits.take("enter", call.address)
    people, body = call.parts.people, call.body
    if call.account is not None and call.token and (await people.account(call.account)).guest:
        here = Token(call.token)
        account = await people.change(call.account, name=body.name, password=body.password, here=here)
        call.parts.tokens.forget_account(account.id)
        return bodies.Entered(token=call.token, account=bodies.show_account(account))
    return entered(await people.sign_up(body.name, body.password))


async def sign_in(call: Asked) -> bodies.Entered:
    """With a name and a password, a challenge and its signature, or a Nostr event in the header (NIP-98)."""
    if has_event(call):
        call.parts.limits.take("enter", call.address)
        event = read_event(call, "/api/sessions")
        return entered(await call.parts.people.sign_in_with_event(event, call.body.name))
    call.parts.limits.take("password", call.address)
    people, body = call.parts.people, call.body
    if body.challenge is not None and body.signature is not None:
        return entered(await people.sign_in_with_key(body.challenge, unhex(body.signature), body.name))
    if body.name is None or body.password is None:
        raise Refused(Code.BAD_REQUEST, "To sign in, send a name and a password, or a challenge and its signature.")
    return entered(await people.sign_in(body.name, body.password))


def has_event(call: Asked) -> bool:
    return call.authorization is not None and call.authorization[:6].lower() == "nostr "


def read_event(call: Asked, path: str, method: str = "POST") -> SignedEvent:
    """The event of this very request; it was signed for the hall's public URL, whatever the Host header says."""
    assert call.authorization is not None
    parts = call.parts
    url = parts.settings.public_url + path
    return parts.nostr.verify(call.authorization, url, method, parts.now // 1000, call.raw_body)


async def challenge(call: Asked) -> bodies.ChallengeShown:
    call.parts.limits.take("enter", call.address)
    given = await call.parts.people.challenge(unhex(call.body.public_key))
    return bodies.ChallengeShown(challenge=given.text, expires=given.expires)


def unhex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise Refused(Code.BAD_REQUEST, "Keys and signatures must be hex digits.") from None


async def sign_out(call: Asked) -> dict[str, Any]:
    if call.token is not None:
        await call.parts.people.sign_out(Token(call.token))
        call.parts.tokens.forget(call.token, call.account)
    return {}


async def me(call: Asked) -> bodies.AccountShown:
    return bodies.show_account(await call.parts.people.account(call.signed))


async def change_me(call: Asked) -> bodies.AccountShown:
    """Change my name, avatar or password; fields left out stay as they are, and a refused change changes nothing.

    A new password requires the old one, or a key of the account: a Nostr event in the header (NIP-98, while the session
    is the cookie's), or a challenge and its signature. An account with keys and no password requires a key.
    """
    body: bodies.MeBody = call.body
    if body.password is not None:
        call.parts.limits.take("password", call.address)
    account = await call.parts.people.change(
        call.signed,
        name=body.name,
        avatar=body.avatar,
        password=body.password,
        old=body.old_password,
        here=Token(call.token) if call.token else None,
        key=None if body.password is None else await proving_key(call),
    )
    if body.password is not None:
        call.parts.tokens.forget_account(account.id)
    return bodies.show_account(account)


async def proving_key(call: Asked) -> bytes | None:
    """The key that signed for this request, if any did."""
    body: bodies.MeBody = call.body
    if has_event(call):
        return await call.parts.people.proved_by(read_event(call, "/api/me", "PATCH"))
    if body.challenge is not None and body.signature is not None:
        return await call.parts.people.proved_by_answer(body.challenge, unhex(body.signature))
    return None


async def my_keys(call: Asked) -> bodies.KeysShown:
    """List the ways I can sign in."""
    people = call.parts.people
    keys = [show_key(call, key) for key in await people.keys(call.signed)]
    return bodies.KeysShown(password=await people.has_password(call.signed), keys=keys)


def show_key(call: Asked, key: bytes) -> bodies.KeyShown:
    if (nostr := nostr_from_der(key)) is not None:
        return bodies.KeyShown(kind="nostr", key=call.parts.nostr.npub(nostr))
    return bodies.KeyShown(kind="ed25519", key=key.hex())


async def add_key(call: Asked) -> bodies.AccountShown:
    """Add a key to my account: a Nostr event in the header (NIP-98), or a challenge and its signature.

    The session is then the cookie's, because the header holds the event. If the account has a password, it is required.
    """
    parts, body, id = call.parts, call.body, call.signed
    parts.limits.take("password", call.address)
    here = Token(call.token) if call.token else None
    if has_event(call):
        event = read_event(call, "/api/me/keys")
        await parts.people.confirm(id, body.password)
        account = await parts.people.add_nostr_key(id, event, here)
    elif body.challenge is not None and body.signature is not None:
        await parts.people.confirm(id, body.password)
        account = await parts.people.add_key(id, body.challenge, unhex(body.signature), here)
    else:
        raise Refused(
            Code.BAD_REQUEST, "To add a key, send a Nostr event in the header, or a challenge and its signature."
        )
    parts.tokens.forget_account(id)
    return bodies.show_account(account)


async def remove_key(call: Asked) -> bodies.KeysShown:
    """Remove a key from my account, and sign out everywhere else."""
    text = call.path["key"]
    key = to_der(unhex(text)) if len(text) > NPUB_LENGTH else nostr_to_der(call.parts.nostr.parse(text))
    await call.parts.people.remove_key(call.signed, key, Token(call.token) if call.token else None)
    call.parts.tokens.forget_account(call.signed)
    return await my_keys(call)


ENDPOINTS: tuple[Endpoint[ServerParts], ...] = (
    Endpoint(
        "POST",
        "/api/accounts/guest",
        guest,
        bodies.Entered,
        "Sign in as a guest",
        "people",
        bodies.GuestBody,
        signed=False,
    ),
    Endpoint("POST", "/api/accounts", sign_up, bodies.Entered, "Sign up", "people", bodies.SignUpBody, signed=False),
    Endpoint(
        "POST",
        "/api/sessions",
        sign_in,
        bodies.Entered,
        "Sign in",
        "people",
        bodies.SignInBody,
        signed=False,
        takes_event=True,
    ),
    Endpoint(
        "POST",
        "/api/challenges",
        challenge,
        bodies.ChallengeShown,
        "Get a challenge for a key",
        "people",
        bodies.ChallengeBody,
        signed=False,
    ),
    Endpoint("DELETE", "/api/sessions", sign_out, dict[str, Any], "Sign out", "people", signed=False),
    Endpoint("GET", "/api/me", me, bodies.AccountShown, "Get my account", "people"),
    Endpoint(
        "PATCH",
        "/api/me",
        change_me,
        bodies.AccountShown,
        "Update my account",
        "people",
        bodies.MeBody,
        takes_event=True,
    ),
    Endpoint("GET", "/api/me/keys", my_keys, bodies.KeysShown, "List the ways I can sign in", "people"),
    Endpoint(
        "POST",
        "/api/me/keys",
        add_key,
        bodies.AccountShown,
        "Add a key",
        "people",
        bodies.AddKeyBody,
        takes_event=True,
    ),
    Endpoint("DELETE", "/api/me/keys/{key}", remove_key, bodies.KeysShown, "Remove a key", "people"),
)
