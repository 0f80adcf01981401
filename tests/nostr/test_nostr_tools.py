"""nostr-tools, the library most web clients use: it accepts what we sign, and we accept what it signs."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import Any

from dicehall.nostr.events import encode_event, read_event
from dicehall.nostr.http_auth import author_of, authorization
from dicehall.nostr.keys import SecretKey
from tests.nostr.test_events import TEXTS, signed
from tests.nostr.test_match_events import FROM_PLAYERS, published

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "web" / "node_modules" / "nostr-tools" / "lib" / "esm" / "pure.js"
NODE = ROOT / ".venv" / "bin" / "node"


def ask_node(script: str, library: Path, document: Any) -> Any:
    """What a script of this folder answers that is given a document."""
    command = [str(NODE), str(Path(__file__).parent / script), str(library)]
    ran = subprocess.run(command, input=json.dumps(document), capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_ids_and_signatures_agree_with_nostr_tools_in_both_directions() -> None:
    played = [json.loads(encode_event(published(*said.encode()))) for said in FROM_PLAYERS]
    ours = [*(signed(content) for content in TEXTS), *played]
    told = ask_node("foreign_events.mjs", LIBRARY, ours)
    assert told["verified"] == [True] * len(ours)
    theirs = [read_event(json.dumps(event).encode()) for event in told["theirs"]]
    assert [event.content for event in theirs] == [event["content"] for event in ours]


def test_nip_98_headers_agree_with_nostr_tools_in_both_directions() -> None:
    url, method, now_s = "https://hall.example/dice/api/sessions", "POST", int(time.time())
    payload = {"name": "Ann"}
    body = json.dumps(payload, separators=(",", ":")).encode()  # as JavaScript writes it
    asked = {"url": url, "method": method, "payload": payload}
    ours = authorization(SecretKey.generate(), url, method, now_s, body)
    told = ask_node("foreign_sign_in.mjs", LIBRARY.parent, {**asked, "ours": ours})
    assert told["accepted"] is True
    assert author_of(told["theirs"], url, method, now_s, body).pubkey == told["pubkey"]
