"""Rebuilding how a game stands from its events alone, as a log reader would who knows no rules.

The record's header says how many sit down and with how many hit points; everything else comes from the events' JSON.
Numbers that events repeat (a score after the points that made it) are checked on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any, TypeAlias

Told: TypeAlias = Mapping[str, Any]  # an event as it is printed
Rebuilt: TypeAlias = dict[str, Any]  # fields of the state, and "places": None while the game runs


def by_worth(worth: Mapping[int, Any]) -> list[list[int]]:
    """Seats in places, those worth the most first, equals together."""
    ranked = sorted(worth, key=worth.__getitem__, reverse=True)
    return [sorted(place) for _, place in groupby(ranked, key=worth.__getitem__)]


def wards(seats: int, rules: Told, events: Iterable[Told]) -> Rebuilt:
    scores, places = [0] * seats, None
    for told in events:
        match told["event"]:
            case "Held":
                scores[told["seat"]] += told["points"]
                assert told["score"] == scores[told["seat"]]
            case "Won":
                places = [[told["seat"]], [1 - told["seat"]]]
                assert told["scores"] == scores
    return {"scores": scores, "places": places}


def aetharn(seats: int, rules: Told, events: Iterable[Told]) -> Rebuilt:
    scores, out, places = [0] * seats, set(), None
    for told in events:
        match told["event"]:
            case "PointsScored":
                scores[told["player"]] += told["points_this_turn"]
                assert told["total_score"] == scores[told["player"]]
            case "PlayerFolded" | "PlayerRemoved":
                out.add(told["player"])
                assert told["remaining_player_count"] == seats - len(out)
            case "GameAbandoned":
                places = []
            case "GameEnded":  # A18: those still in by score, then the others
                places = by_worth({seat: (seat not in out, scores[seat]) for seat in range(seats)})
                assert places[0] == [told["winner"]]
                assert [seat for place in places for seat in place] == told["final_standings"]
    return {"scores": scores, "places": places}


def tenthousand(seats: int, rules: Told, events: Iterable[Told]) -> Rebuilt:
    scores, places, number = [0] * seats, None, 0
    for told in events:
        match told["event"]:
            case "RoundStarted":
                number = told["round"]
            case "Yielded":
                scores[told["seat"]] += told["points"]
                assert told["score"] == scores[told["seat"]]
            case "RoundEnded":
                assert (told["round"], told["scores"]) == (number, scores)
            case "Won":
                places = by_worth(dict(enumerate(scores)))
                assert (told["places"], told["score"]) == (places, scores[told["seat"]])
    return {"scores": scores, "round": number, "places": places}


def doordice(seats: int, rules: Told, events: Iterable[Told]) -> Rebuilt:
    hp, vp, fallen = [rules.get("hp", 20)] * seats, [0] * seats, [0] * seats
    places: list[list[int]] = []
    over = False
    for told in events:
        match told["event"]:
            case "EffectDone":
                whom = told["seat"] if told["target"] is None else told["target"]
                hp[whom] += told["hp_change"]
                vp[whom] += told["vp_change"]
                vp[told["seat"]] += told["stolen"]
                assert (told["hp"], told["vp"]) == (hp[whom], vp[whom])
            case "EliminationScored":
                vp[told["seat"]] += told["points"]
                assert told["vp"] == vp[told["seat"]]
            case "RoundEnded":
                assert told["alive"] == [seat for seat in range(seats) if hp[seat] > 0]
                vp = [points + told["points"] * (seat in told["alive"]) for seat, points in enumerate(vp)]
                fallen = [rounds + (seat not in told["alive"]) for seat, rounds in enumerate(fallen)]
                assert (told["vp"], told["fallen_rounds"]) == (vp, fallen)
            case "Tied":
                places = places or by_worth({seat: (vp[seat], hp[seat], -fallen[seat]) for seat in range(seats)})
                assert told["places"] == places
            case "TieDiceRolled":
                rolled = dict(zip(told["seats"], told["faces"], strict=True))
                places = [part for place in places for part in by_worth({seat: rolled.get(seat, 0) for seat in place})]
            case "GameEnded":
                places = places or by_worth({seat: (vp[seat], hp[seat], -fallen[seat]) for seat in range(seats)})
                over = True
                assert [told[name] for name in ("vp", "hp", "fallen_rounds", "places")] == [vp, hp, fallen, places]
    return {"hp": hp, "vp": vp, "fallen_rounds": fallen, "places": places if over else None}


def mana(seats: int, rules: Told, events: Iterable[Told]) -> Rebuilt:
    wins, damage, late = [0, 0], [0, 0], []
    places: list[list[int]] | None = None
    for told in events:
        match told["event"]:
            case "RoundFought":
                damage = [before + dealt for before, dealt in zip(damage, told["damage"], strict=True)]
                wins = [won + (told["winner"] == seat) for seat, won in enumerate(wins)]
                assert (told["wins"], told["total_damage"]) == (wins, damage)
            case "TimeRanOut":
                late = told["seats"]
            case "GameEnded":
                on_points = by_worth({seat: (wins[seat], damage[seat]) for seat in (0, 1)})
                forfeit = [[1 - late[0]], late] if len(late) == 1 else []
                places = forfeit if late else on_points
                assert [told[name] for name in ("wins", "damage", "places")] == [wins, damage, places]
    return {"wins": wins, "damage": damage, "places": places}


REBUILD: dict[str, Callable[[int, Told, Iterable[Told]], Rebuilt]] = {
    "wards": wards,
    "aetharn": aetharn,
    "tenthousand": tenthousand,
    "doordice": doordice,
    "mana": mana,
}
