"""What a simulation found: figures for programs, lines for people, and a picture."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from typing import Any

from dicehall.lab.picture import Bar, Panel, picture
from dicehall.lab.simulating import Tally
from dicehall.lab.simulator import Simulated

WAYS = {
    "rules": "every game by the rules",
    "tables": "turn by turn from tables that the rules and the bots filled",
    "compiled tables": "turn by turn from tables that the rules and the bots filled, compiled",
}
HISTOGRAM = 40  # bars at most


def share(total: float, squares: float, games: int) -> tuple[float, float]:
    """A mean over games, and its standard error."""
    if not games:
        return 0.0, 0.0
    mean = total / games
    return mean, sqrt(max(squares / games - mean * mean, 0.0) / games)


def rates(tally: Tally) -> list[tuple[float, float]]:
    return [share(won, squares, tally.games) for won, squares in zip(tally.wins, tally.squares, strict=True)]


def length(tally: Tally) -> float:
    """Turns a game, on average."""
    return sum(turns * games for turns, games in tally.turns.items()) / tally.games


def figures(found: Simulated) -> dict[str, Any]:
    tally, shares = found.tally, rates(found.tally)
    return {
        "games": tally.games,
        "wins": [int(won) if won == int(won) else round(won, 6) for won in tally.wins],
        "win_rate": [rate for rate, _ in shares],
        "stderr": [error for _, error in shares],
        "length": length(tally),
        "seconds": round(found.seconds, 3),
        "games_per_second": round(tally.games / max(found.seconds, 1e-9), 1),
    }


def told(found: Simulated, names: Sequence[str]) -> list[str]:
    tally = found.tally
    wide = max(map(len, names))
    seats = [
        f"  seat {seat} {name:<{wide}}  {won:>12,.10g} won  {100 * rate:7.3f} % +- {100 * error:.3f}"
        for seat, (name, won, (rate, error)) in enumerate(zip(names, tally.wins, rates(tally), strict=True))
    ]
    rolls = f", {tally.rolls / tally.games:.2f} rolls" if tally.rolls else ""
    speed = f"{found.seconds:.2f} s, {tally.games / max(found.seconds, 1e-9):,.0f} games a second"
    return [*seats, f"  a game takes {length(tally):.2f} turns{rolls}", f"  {speed}: {WAYS[found.way]}"]


def pictured(found: Simulated, names: Sequence[str], title: str) -> str:
    """Who wins, and how long games last."""
    tally = found.tally
    bars = [
        Bar(f"{seat}: {name}", 100 * rate, 300 * error, f"{100 * rate:.2f}")
        for seat, (name, (rate, error)) in enumerate(zip(names, rates(tally), strict=True))
    ]
    won = Panel("Who wins", "seat: bot", "games won in % (whiskers: 3 standard errors)", bars, mark=100 / len(names))
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
