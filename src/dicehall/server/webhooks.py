"""The webhook of a table: wanted by its opener, shown to nobody else."""

from __future__ import annotations

from dicehall.core.game import Refused
from dicehall.hall.codes import Code
from dicehall.hall.webhooks import SECRET_BYTES, check_webhook, key_of, new_secret
from dicehall.server import bodies
from dicehall.server.endpoints import Call
from dicehall.server.parts import ServerParts

Asked = Call[ServerParts]


def wanted_webhook(call: Asked, wanted: bodies.WebhookWanted | None) -> tuple[str, str] | None:
    """The address and the secret of a webhook that somebody wants for a new table, checked."""
    if wanted is None:
        return None
    check_webhook(wanted.url, call.parts.settings.webhooks)
    secret = wanted.secret or new_secret(call.parts.people.entropy.draw(SECRET_BYTES))
    key_of(secret)
    call.parts.limits.take_both("webhook", call.signed, call.address)
    return wanted.url, secret


async def webhook(call: Asked) -> bodies.WebhookShown:
    """Where the result of my table goes, with the secret that signs it, and whether it has arrived."""
    table = call.path["id"]
    card, found = await call.parts.hall.card(table), await call.parts.webhooks.webhook(table)
    if card.opener != call.signed:
        raise Refused(Code.NOT_ALLOWED, "Only the person who opened the table can see its webhook.")
    if found is None:
        raise Refused(Code.NOT_FOUND, "This table has no webhook.")
    return bodies.WebhookShown(
        url=found.url,
        secret=found.secret or None,
        state=found.state,
        tries=found.tries,
        next_try=found.due,
        problem=found.problem,
    )
