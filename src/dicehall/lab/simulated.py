"""What a simulation found: figures for programs, lines for people, and a picture."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from dicehall.lab.intervals import Interval, share_of
from dicehall.lab.picture import Bar, Panel, picture
from dicehall.lab.simulating import Tally
from dicehall.lab.simulator import Simulated

WAYS = {
    "rules": "every game by the rules",
    "tables": "turn by turn from tables computed from the rules and the bots",
    "compiled tables": "turn by turn from tables computed from the rules and the bots, compiled",
}
HISTOGRAM = 40  # bars at most


def rates(tally: Tally) -> list[Interval]:
    """How often each seat wins."""
    return [share_of(won, tally.games) for won in tally.wins]


def length(tally: Tally) -> float:
    """Turns a game, on average."""
    return sum(turns * games for turns, games in tally.turns.items()) / tally.games


def figures(found: Simulated, played: Sequence[str]) -> dict[str, Any]:
    """For programs; *played* are the levels on which the bots really played."""
    tally, shares = found.tally, rates(found.tally)
    return {
        "games": tally.games,
        "wins": [int(won) if won == int(won) else round(won, 6) for won in tally.wins],
        "win_rate": [share.value for share in shares],
        "stderr": [share.stderr for share in shares],
        "length": length(tally),
        "seconds": round(found.seconds, 3),
        "games_per_second": round(tally.games / max(found.seconds, 1e-9), 1),
        "interval": [[share.low, share.high] for share in shares],
        "bots": list(played),
    }


def told(found: Simulated, names: Sequence[str]) -> list[str]:
    tally = found.tally
    wide = max(map(len, names))
    seats = [
        f"  seat {seat + 1} {name:<{wide}}  {won:>12,.10g} won  {100 * share.value:6.2f} %"
        f"  ({100 * share.low:.2f} to {100 * share.high:.2f} %)"
        for seat, (name, won, share) in enumerate(zip(names, tally.wins, rates(tally), strict=True))
    ]
    rolls = f", {tally.rolls / tally.games:.2f} rolls" if tally.rolls else ""
    speed = f"{found.seconds:.2f} s, {tally.games / max(found.seconds, 1e-9):,.0f} games per second"
    takes = f"  a game takes {length(tally):.2f} turns{rolls}"
    return [*seats, "  in parentheses: 95 % intervals", takes, f"  {speed}: {WAYS[found.way]}"]


def pictured(found: Simulated, names: Sequence[str], title: str) -> str:
    """Who wins, and how long games last."""
    tally = found.tally
    bars = [
        Bar(f"{seat}: {name}", 100 * rate.value, (100 * rate.low, 100 * rate.high), f"{100 * rate.value:.2f}")
        for seat, (name, rate) in enumerate(zip(names, rates(tally), strict=True))
    ]
    won = Panel("Who wins", "seat: bot", "games won in % (whiskers: 95 % interval)", bars, mark=100 / len(names))
    lasted = Panel("How long games last", "turns", "games in %", histogram(tally))
    return picture(title, [won, lasted])


def histogram(tally: Tally) -> list[Bar]:
    least, most = min(tally.turns), max(tally.turns)
    step = ceil((most - least + 1) / HISTOGRAM)
    starts = range(least, most + 1, step)
    counts = [sum(tally.turns[turns] for turns in range(start, start + step)) for start in starts]
    return [
        Bar(f"{start}" if step == 1 else f"{start}-{start + step - 1}", 100 * count / tally.games)
        for start, count in zip(starts, counts, strict=True)
    ]
