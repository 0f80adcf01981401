"""What clients of a server say and hear, written down as it goes over the line, whoever the client is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec

from dicehall.client.lines import Line
from tools.campaign_hall import HallProcess
from tools.campaign_known import Ear, Fault, Known, Reply, Seen, Sent
from tools.campaign_pipe import now

Message: TypeAlias = dict[str, Any]

# what a request is called where acts are checked; all others are no acts
KINDS = {"act": "Do", "sit": "Sit", "words": "OpenWords", "start": "Start", "stand": "Stand", "bots": "SitBot"}
AGAIN = ("store_unavailable", "rate_limited", "shutting_down")  # no answer yet: the same is asked again


@dataclass(slots=True, eq=False)
class Ledger:
    """All that the clients of a campaign know, by table."""

    hall: HallProcess
    tables: dict[str, Known] = field(default_factory=dict)
    opened: dict[tuple[str, str], set[str]] = field(default_factory=dict)  # (account, id) -> what it was answered
    accounts: dict[str, str] = field(default_factory=dict)  # id -> name
    faults: set[Fault] = field(default_factory=set)
    hurry: bool = False  # nobody sleeps or goes out any more

    def open(self, account: str, id: str, shown: Message) -> None:
        """A table was opened, and its seal is shown before anybody can sit down."""
        self.tables.setdefault(shown["id"], Known(shown["id"], shown["game"], shown["seal"]))
        self.opened.setdefault((account, id), set()).add(shown["id"])


@dataclass(slots=True, eq=False)
class Log:
    """One client's own: what it asked, was answered and heard."""

    name: str
    ledger: Ledger
    account: str | None = None
    ears: dict[str, Ear] = field(default_factory=dict)

    def ear(self, table: str) -> Ear:
        if table not in self.ears:
            self.ears[table] = Ear(f"{self.name} at {table}", self.account)
            self.ledger.tables[table].ears.append(self.ears[table])
        return self.ears[table]

    def entered(self, account: Message) -> None:
        self.account = account["id"]
        self.ledger.accounts[account["id"]] = account["name"]

    def asked(self, do: str, table: str, once: str | None) -> None:
        if once is None or do not in KINDS or self.account is None:
            return
        known = self.ledger.tables[table]
        last = self.ears[table].last if table in self.ears else 0
        known.sent.setdefault((self.account, once), Sent(self.account, once, KINDS[do], last))

    def answered(self, do: str, table: str | None, once: str | None, begun: int, message: Message) -> None:
        """An answer came; *begun* is when the process that gave it was started."""
        error = message.get("error")
        if error is not None and error["code"] in AGAIN:
            return
        if error is not None and error["code"] == "internal":
            self.ledger.faults.add(Fault("lost", table or "", f"{self.name} was told that {do} broke something"))
        ok: Message = message.get("ok") or {}
        if do in ("open", "rematch") and ok and once and self.account:
            self.ledger.open(self.account, once, ok)
        if table is None or table not in self.ledger.tables:
            return
        known = self.ledger.tables[table]
        if self.account is not None and (sent := known.sent.get((self.account, once or ""))) is not None:
            sent.replies.append(Reply(now(), begun, ok.get("n"), error and error["code"]))
        self.saw(known, ok if do == "look" else ok.get("table"))

    def saw(self, known: Known, shown: Message | None) -> None:
        if shown and shown.get("view") is not None:
            known.seen.append(Seen(shown["n"], self.account, shown["view"]))

    def watched(self, table: str, since: int | None, ok: Message) -> None:
        ear = self.ear(table)
        if since is None and ear.last == 0:
            ear.last = ok["table"]["n"]  # came in the middle
        ear.resumed(ok["updates"])


@dataclass(slots=True, eq=False)
class Wire:
    """One socket of a client, from both sides."""

    log: Log
    begun: int = field(init=False)
    waiting: dict[Any, Message] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.begun = self.log.ledger.hall.begun
        for ear in self.log.ears.values():
            ear.resuming = True

    def says(self, text: bytes) -> None:
        message: Message = msgspec.json.decode(text)
        table = message.get("table")
        self.waiting[message["id"]] = message
        if table is None or table not in self.log.ledger.tables:
            return
        if message["do"] == "watch":
            self.log.ear(table).resuming = True
        self.log.asked(message["do"], table, message.get("once"))

    def hears(self, text: bytes) -> None:
        message: Message = msgspec.json.decode(text)
        if "re" in message:
            self.hears_answer(message)
        elif "n" in message and message["table"] in self.log.ledger.tables:
            self.log.ear(message["table"]).hear(message)

    def hears_answer(self, message: Message) -> None:
        asked = self.waiting.pop(message["re"], None)
        if asked is None:
            self.log.ledger.faults.add(Fault("doubled", "", f"{self.log.name} was answered twice: {message['re']}"))
            return
        do, table, ok = asked["do"], asked.get("table", ""), message.get("ok")
        if ok and do in ("guest", "sign_in"):
            self.log.entered(ok["account"])
        if ok and do == "watch" and table in self.log.ledger.tables:
            self.log.watched(table, asked.get("since"), ok)
        if ok and do == "events" and table in self.log.ledger.tables:
            for update in ok["updates"]:
                self.log.ear(table).hear(update)
        self.log.answered(do, table or None, asked.get("once"), self.begun, message)


@dataclass(frozen=True, slots=True)
class LoggedLine:
    """A line of the client library that is written down."""

    line: Line
    wire: Wire

    async def send(self, text: bytes) -> None:
        self.wire.says(text)
        await self.line.send(text)

    async def receive(self) -> bytes:
        text = await self.line.receive()
        self.wire.hears(text)
        return text

    async def close(self) -> None:
        await self.line.close()
