"""Which addresses a webhook may have, what it says, and how it is signed."""

from __future__ import annotations

import base64
import json

import pytest

from dicehall.core.game import Refused
from dicehall.hall.cards import Ending, Result
from dicehall.hall.webhooks import Mode, Webhook, body_of, check_webhook, headers_of, is_public, key_of, new_secret
from examples.verify_webhook import is_genuine

ENDING = Ending("t1", "wards", 1_700_000_000_000, "goal", None, (Result(0, "Ann", "id", None, 1, True, 100),))
SECRET = new_secret(bytes(range(32)))


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.9.1",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "fec0::1%1",
        "feff::1",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "2001:db8::1",
        "3fff::1",
        "5f00::1",
        "4000::1",
        "192.0.0.8",
        "192.88.99.1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "::127.0.0.1",
        "2002:7f00:1::",
        "2001:0:7f00:1::1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "not an address",
        "2130706433",
        "0x7f000001",
        "127.1",
    ],
)
def test_an_address_that_not_everybody_can_reach_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "64:ff9b::808:808"])
def test_an_address_on_the_internet_is_public(address: str) -> None:
    assert is_public(address)


def refusal(url: str, mode: Mode) -> str | None:
    try:
        check_webhook(url, mode)
    except Refused as refused:
        return str(refused.code) if refused.sentence else "no sentence"
    return None


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/hook",
        "ftp://example.org/hook",
        "https://",
        "https:///hook",
        "example.org/hook",
        "https://user:secret@example.org/",
        "https://user@example.org/",
        "https://example.org/#part",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://example.org:22/",
        "https://example.org:80/",
        "https://exam ple.org/",
        "https://example.org/a b",
        "https://example.org/\r\nx: y",
        "https://exämple.org/",
        "https://localhost/",
        "https://intranet/",
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "https://host.0x7f/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[fe80::1%25eth0]/",
        "https://[2606:4700:4700::1111%25eth0]/",
        "https://[v1.example]/",
        "https://169.254.169.254/latest/meta-data",
        "https://example.org/" + "x" * 500,
        "https://[::1",
    ],
)
def test_an_address_that_a_public_webhook_may_not_have_is_refused_when_the_table_is_opened(url: str) -> None:
    assert refusal(url, "public") == "bad_request"


@pytest.mark.parametrize("url", ["https://example.org", "https://hooks.example.org:8443/a/b?c=d", "https://8.8.8.8/"])
def test_a_public_https_address_is_allowed_unless_webhooks_are_off(url: str) -> None:
    assert [refusal(url, mode) for mode in ("off", "public", "any")] == ["not_allowed", None, None]


@pytest.mark.parametrize("url", ["http://127.0.0.1:9000/hook", "http://intranet/hook", "https://[::1]:8443/"])
def test_a_host_can_allow_addresses_of_their_own_network(url: str) -> None:
    assert refusal(url, "any") is None


@pytest.mark.parametrize(
    "secret", ["", "whsec_", "whsec_short", "whsec_" + "A" * 200, "x" * 40, "whsec_***", "whsec_ä"]
)
def test_a_secret_that_is_too_short_too_long_or_not_base64_is_refused(secret: str) -> None:
    with pytest.raises(Refused):
        key_of(secret)


def test_the_example_verifies_a_webhook_and_nothing_that_was_changed() -> None:
    body = body_of(ENDING, "https://example.org/dice")
    headers = headers_of(Webhook("t1", "https://example.org", SECRET), body, 1000)
    assert is_genuine(SECRET, headers, body, now=1200)
    assert not is_genuine(SECRET, headers, body, now=1400)
    assert not is_genuine(SECRET, headers, body + b" ", now=1000)
    assert not is_genuine(new_secret(bytes(32)), headers, body, now=1000)
    assert not is_genuine(SECRET, {**headers, "webhook-id": "t2.ended"}, body, now=1000)
    assert not is_genuine(SECRET, {**headers, "webhook-timestamp": "1001"}, body, now=1000)


def test_the_signature_is_that_of_standard_webhooks() -> None:
    """Worked out by hand with openssl: HMAC-SHA256 over id.timestamp.body, in base64 after its version."""
    key = base64.b64encode(b"0123456789abcdef01234567").decode()
    headers = headers_of(Webhook("t1", "https://example.org", f"whsec_{key}"), b"{}", 1_700_000_000)
    assert headers["webhook-signature"] == "v1,6rvd2LFYPKN9AYKhtCa3xY/6RGdtqODw5rHORMWbWck="


def test_a_webhook_says_what_the_table_itself_says_and_no_more() -> None:
    said = json.loads(body_of(ENDING, "https://example.org/dice"))
    assert said == {
        "type": "game_ended",
        "abandoned": False,
        "link": "https://example.org/dice/t/t1",
        "table": "t1",
        "game": "wards",
        "at": 1_700_000_000_000,
        "reason": "goal",
        "rounds": None,
        "rated": True,
        "continued": False,
        "results": [
            {"seat": 0, "name": "Ann", "account": "id", "bot": None, "place": 1, "won": True, "score": 100},
        ],
    }
