"""What the referee did in a run, held against the rules: its stored entries, its statements, its loot."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from dicehall.nostr.events import Event
from tests.referee.simulation.fold import Folded, Statement, Unlawful
from tests.referee.simulation.players import Player
from tests.referee.simulation.world import World, Wrong
from tests.table.virtual import START_MS

MAX_OPEN = 5  # challenges of one player (M10)
LOOT = 1000


def judge(world: World) -> list[Wrong]:
    folds, wrongs = fold_all(world)
    wrongs += [*world.wrongs, *kept(world), *busy(world, folds)]
    said = statements(world)
    for match_id, folded in folds.items():
        told = said.pop(match_id, {})
        for check in (once, as_the_rules_say, rewarded, never_contradicted):
            wrongs += (Wrong(name, match_id, sentence) for name, sentence in check(world, folded, told))
        wrongs += (Wrong(name, match_id, sentence) for name, sentence in fair(world, folded))
    for match_id, told in said.items():
        if any(not key.startswith("refused/") for key in told):
            wrongs.append(Wrong("only matches are spoken of", match_id, str(sorted(told))))
    return wrongs + [Wrong("a refusal is said once", id, key) for id, key in doubled_refusals(world)]


def fold_all(world: World) -> tuple[dict[str, Folded], list[Wrong]]:
    folds, wrongs = {}, []
    bodies: dict[str, list[dict[str, Any]]] = {}
    for row in entries(world):
        bodies.setdefault(row[0], []).append(json.loads(row[2]))
    for match_id, of_match in bodies.items():
        try:
            folds[match_id] = Folded(world, match_id).fold(of_match)
        except Unlawful as error:
            wrongs.append(Wrong(error.check, match_id, str(error)))
    return folds, wrongs


def entries(world: World) -> list[Any]:
    return [row.values for row in world.rows if row.table == "insert entries"]


# -- what is on the disk ----------------------------------------------------------------------------------------


def kept(world: World) -> Iterator[Wrong]:
    """What was committed is there at the end, in the same order, however often the process died."""
    assert world.disk is not None
    with closing(sqlite3.connect(":memory:")) as db:
        db.deserialize(world.disk)
        found = db.execute("SELECT match_id, event_id, body FROM entries ORDER BY number").fetchall()
    if [tuple(one) for one in entries(world)] != found:
        yield Wrong(
            "what counted survives", "", f"{len(entries(world))} entries were committed, {len(found)} are there"
        )


def busy(world: World, folds: dict[str, Folded]) -> Iterator[Wrong]:
    """Never more matches than may be, and no more open challenges of one player (M10)."""
    live: dict[str, Folded] = {}
    steps: Counter[str] = Counter()
    for match_id, *_ in entries(world):
        if (folded := folds.get(match_id)) is None:
            continue
        steps[match_id] += 1
        if folded.ended is not None and steps[match_id] > end_number(folded) + 1:
            continue  # a verification after the end
        live[match_id] = folded
        waiting = [one for one in live.values() if steps[one.match_id] <= acceptance_number(one)]
        mine = [one for one in waiting if one.players[0] == folded.players[0]]
        if len(live) > world.max_matches or len(mine) > MAX_OPEN:
            yield Wrong("not too many at once", match_id, f"{len(live)} matches, {len(mine)} open challenges")
        if folded.ended is not None and steps[match_id] > end_number(folded):
            live.pop(match_id)


def end_number(folded: Folded) -> int:
    return next(one.number for one in folded.statements if one.key == "match_result")


def acceptance_number(folded: Folded) -> int:
    found = [one.number for one in folded.statements if one.key in ("announcement/acceptance", "match_result")]
    return min(found, default=1 << 30)


# -- what was said ----------------------------------------------------------------------------------------------


def statements(world: World) -> dict[str, dict[str, list[Event]]]:
    """By match and key, every different event that any relay ever had from the referee."""
    found: dict[str, dict[str, list[Event]]] = {}
    for event in world.said.values():
        key = key_of(event)
        found.setdefault(event.tag("match_id") or "", {}).setdefault(key, []).append(event)
    return found


def key_of(event: Event) -> str:
    for name in ("reveal_request", "round_result"):
        if event.tag(name) is not None:
            return f"{name}/{event.tag(name)}"
    if (status := event.tag("match_announcement")) is not None:
        names = {"waiting_for_acceptance": "challenge", "waiting_for_commitments": "acceptance"}
        return f"announcement/{names[status]}" if status in names else f"refused/{event.tag('e')}"
    if event.tag("verification_result") is not None:
        return f"verification_result/{event.tag('e')}"
    return "loot_reward" if event.tag("loot_reward") is not None else "match_result"


Found = Iterator[tuple[str, str]]
Told = dict[str, list[Event]]


def once(world: World, folded: Folded, told: Told) -> Found:
    for key, events in told.items():
        if len(events) > 1 and not key.startswith("refused/"):
            yield "nothing is said twice", key


def as_the_rules_say(world: World, folded: Folded, told: Told) -> Found:
    expected = {one.key: one for one in folded.statements}
    for key in expected:
        if key not in told:
            yield "everything is said in the end", key
    for key, events in told.items():
        if key.startswith("refused/"):
            continue
        if key not in expected:
            if key != "loot_reward":
                yield "nothing is said without a reason", key
        elif (wrong := difference(folded, expected[key], events[0], told)) is not None:
            yield "what is said is what the rules say", f"{key}: {wrong}"


def difference(folded: Folded, statement: Statement, event: Event, told: Told) -> str | None:
    content = json.loads(event.content)
    if content != statement.content:
        return f"{content} in place of {statement.content}"
    if event.tag("authority") != "game-engine-bot" or event.tag("game") != "mana-strategy":
        return "a tag is missing"
    people = [npub for npub in folded.players if npub in event.tag_values("p")]
    if not people:
        return "it is for nobody"
    named = statement.events
    if statement.key == "match_result":
        rounds = [told[f"round_result/{number + 1}"][0].id for number in range(len(folded.rounds))]
        named = tuple(rounds) or (folded.challenge_id,)
    return None if event.tag_values("e") == named else f"it names {event.tag_values('e')} in place of {named}"


def never_contradicted(world: World, folded: Folded, told: Told) -> Found:
    """A challenge is either announced or refused, and a match has one result."""
    if f"refused/{folded.challenge_id}" in told:
        yield "a refused challenge stays refused", folded.challenge_id


def doubled_refusals(world: World) -> Iterator[tuple[str, str]]:
    for match_id, told in statements(world).items():
        for key, events in told.items():
            if key.startswith("refused/") and len(events) > 1:
                yield match_id, key


# -- loot -------------------------------------------------------------------------------------------------------


def rewarded(world: World, folded: Folded, told: Told) -> Found:
    """Exactly once where somebody won, after the result was out; never otherwise (M11)."""
    rewards, issued = told.get("loot_reward", []), world.mint.issued.get(folded.match_id)
    if folded.ended is None or folded.ended.winner is None:
        if rewards or issued:
            yield "loot is for winners", "nobody won"
        return
    if issued is None or not rewards:
        yield "every winner is paid", "there is no reward"
        return
    request, token, at = issued
    winner = folded.players[folded.ended.winner]
    content = json.loads(rewards[0].content)
    paid = {"match_id": folded.match_id, "winner": folded.npubs[folded.ended.winner], "amount": LOOT, "token": token}
    if content != paid or request.split("/")[1:3] != [winner, str(LOOT)]:
        yield "the winner is paid what was won", f"{content}, {request}"
    result = told["match_result"][0]
    if world.first_said[result.id] > at:
        yield "loot comes after the result", f"issued at {at}, the result was out at {world.first_said[result.id]}"
    if rewards[0].tag("e") != result.id or rewards[0].tag("p") != winner:
        yield "the winner is paid what was won", "the reward names another result or another player"


# -- time -------------------------------------------------------------------------------------------------------


def fair(world: World, folded: Folded) -> Found:
    """Who is honest loses no match by time, and an outage costs nobody anything (M10)."""
    if folded.ended is None:
        yield "every match ends", f"after {len(folded.rounds)} rounds"
        return
    if folded.ended.reason not in ("forfeit", "abandoned"):
        return
    since_ms, paused = folded.opened_ms, sum(ms for number, ms in folded.pauses if number > opening(folded))
    started = (since_ms - paused - START_MS) / 1000
    away = unreachable(world, started, (folded.ended.at_ms - START_MS) / 1000)
    if away > paused / 1000 + 0.002:
        yield "an outage costs nobody time", f"{away:.3f} s away, {paused / 1000:.3f} s given back"
    if folded.accepted and world.limits.match_ms > world.limits.round_ms * 10:
        losers = [player for player in players(world, folded) if player.seat != folded.ended.winner]
        for player in losers:
            if player.is_honest:
                yield "who is honest does not run out of time", f"seat {player.seat} in round {len(folded.rounds) + 1}"


def opening(folded: Folded) -> int:
    """The entry that opened the round in which the match ended, or the challenge."""
    keys = ("announcement/challenge", "announcement/acceptance", f"round_result/{len(folded.rounds)}")
    return max(one.number for one in folded.statements if one.key in keys)


def unreachable(world: World, since: float, until: float) -> float:
    """How many seconds of these nobody could reach the referee."""
    total = 0.0
    ends = [*(at for at, _ in world.reach[1:]), until]
    for (begin, reachable), end in zip(world.reach, ends, strict=True):
        if not reachable:
            total += max(0.0, min(end, until) - max(begin, since))
    return total


def players(world: World, folded: Folded) -> list[Player]:
    """Whoever meant to play this match and does: a stranger may have taken its id first."""
    return [
        one
        for one in world.players
        if one.match_id == folded.match_id and one.person.key.public_hex == folded.players[one.seat]
    ]
