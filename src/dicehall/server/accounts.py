"""Endpoints for people: ways in and out, and who I am."""

from __future__ import annotations

from typing import Any

from dicehall.core.game import Refused
from dicehall.hall.people import Entered as PersonEntered
from dicehall.hall.sessions import Token
from dicehall.server import bodies
from dicehall.server.endpoints import Call, Endpoint
from dicehall.server.parts import ServerParts
from dicehall.table.requests import Code

Asked = Call[ServerParts]


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
    call.parts.limits.take("password", call.address)
    people, body = call.parts.people, call.body
    if body.challenge is not None and body.signature is not None:
        return entered(await people.sign_in_with_key(body.challenge, unhex(body.signature), body.name))
    if body.name is None or body.password is None:
        raise Refused(Code.BAD_REQUEST, "Signing in takes a name and a password, or a challenge and its signature.")
    return entered(await people.sign_in(body.name, body.password))


async def challenge(call: Asked) -> bodies.ChallengeShown:
    call.parts.limits.take("enter", call.address)
    given = await call.parts.people.challenge(unhex(call.body.public_key))
    return bodies.ChallengeShown(challenge=given.text, expires=given.expires)


def unhex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise Refused(Code.BAD_REQUEST, "Keys and signatures are written as hex digits.") from None


async def sign_out(call: Asked) -> dict[str, Any]:
    if call.token is not None:
        await call.parts.people.sign_out(Token(call.token))
        call.parts.tokens.forget(call.token, call.account)
    return {}


async def me(call: Asked) -> bodies.AccountShown:
    return bodies.show_account(await call.parts.people.account(call.signed))


async def change_me(call: Asked) -> bodies.AccountShown:
    """Change my name, my avatar or my password; what is not named stays, and of a refused change all of it."""
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
    )
    if body.password is not None:
        call.parts.tokens.forget_account(account.id)
    return bodies.show_account(account)


ENDPOINTS: tuple[Endpoint[ServerParts], ...] = (
    Endpoint(
        "POST",
        "/api/accounts/guest",
        guest,
        bodies.Entered,
        "Come in as a guest",
        "people",
        bodies.GuestBody,
        signed=False,
    ),
    Endpoint("POST", "/api/accounts", sign_up, bodies.Entered, "Sign up", "people", bodies.SignUpBody, signed=False),
    Endpoint("POST", "/api/sessions", sign_in, bodies.Entered, "Sign in", "people", bodies.SignInBody, signed=False),
    Endpoint(
        "POST",
        "/api/challenges",
        challenge,
        bodies.ChallengeShown,
        "A challenge for a key",
        "people",
        bodies.ChallengeBody,
        signed=False,
    ),
    Endpoint("DELETE", "/api/sessions", sign_out, dict[str, Any], "Sign out", "people", signed=False),
    Endpoint("GET", "/api/me", me, bodies.AccountShown, "Who I am", "people"),
    Endpoint("PATCH", "/api/me", change_me, bodies.AccountShown, "Change who I am", "people", bodies.MeBody),
)
