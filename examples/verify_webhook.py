"""Check a webhook of Dicehall: that it comes from your hall, is not older than five minutes, and was not changed."""

import base64
import hashlib
import hmac
import time
from collections.abc import Mapping


def is_genuine(secret: str, headers: Mapping[str, str], body: bytes, now: float | None = None) -> bool:
    """*headers* have names in lower case; *secret* is the one with which the table was opened (whsec_...)."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    message_id, sent_at = headers["webhook-id"], headers["webhook-timestamp"]
    signed = f"{message_id}.{sent_at}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    fresh = abs((time.time() if now is None else now) - int(sent_at)) <= 300
    return fresh and any(hmac.compare_digest(expected, one) for one in headers["webhook-signature"].split())
