"""The referee's arithmetic, done again.

Both reveals and both commitments of a round are public, and the league of a token is the mint's word. So every round
and the result of a match can be worked out by anybody; a referee that says something else is named.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dicehall.core.game import Move, Refused, Seat
from dicehall.games.mana.actions import Commit
from dicehall.games.mana.actions import Reveal as RevealMove
from dicehall.games.mana.combat import fight
from dicehall.games.mana.rules import NOSTR, Mana
from dicehall.games.mana.state import SEATS, Match, Pair, State, damage, wins
from dicehall.games.mana.units import Unit
from dicehall.nostr.match_events import Commitment, Reveal, RoundResult, RoundUnits, UnitAfterCombat
from dicehall.player.match_view import MatchView, Signed, seat_of

LeagueOf = Callable[[str], int | None]  # the league of a keyset, as the mint shows it


class Missing(Exception):
    """Events that the referee refers to and that are not here yet."""

    def __init__(self, ids: frozenset[str]) -> None:
        super().__init__()
        self.ids = ids


class Wrong(Exception):
    """Something that an honest referee would not say; the sentence says what."""


@dataclass(slots=True)
class Audit:
    """A match worked out from its reveals, and what the referee said differently."""

    game: Mana
    state: State = field(default_factory=State)
    findings: list[str] = field(default_factory=list)
    missing: frozenset[str] = frozenset()  # events to ask the relays for
    checked: int = 0  # rounds


def game_of(view: MatchView) -> Mana:
    return Mana(match=Match(view.match_id, view.players), **NOSTR)


def audit(view: MatchView, league_of: LeagueOf) -> Audit:
    """Every round that has a result, and the result of the match if there is one."""
    done = Audit(game_of(view), findings=list(dict.fromkeys(view.contradictions)))
    for number in range(1, view.round):
        try:
            done.state = play_round(view, done, number, league_of)
        except Missing as missing:
            done.missing = missing.ids
            return done
        except Wrong as wrong:
            done.findings.append(str(wrong))
            return done
        done.checked = number
        compare_round(view, done, number)
    compare_result(view, done)
    return done


# -- one round ---------------------------------------------------------------------------------------------


def play_round(view: MatchView, done: Audit, number: int, league_of: LeagueOf) -> State:
    if done.state.over is not None:
        raise Wrong(f"went on with round {number} of a match that was already decided")
    opened = [opening(view, number, seat) for seat in SEATS]
    check_request(view, number, opened)
    check_copies(number, opened)
    state = done.state
    try:
        for seat, (commitment, _) in zip(SEATS, opened, strict=True):
            state = done.game.step(state, Move(seat, Commit(commitment.hash))).state
        for seat, (_, reveal) in zip(SEATS, opened, strict=True):
            state = done.game.step(state, Move(seat, move_of(reveal, number, league_of))).state
    except Refused as refused:
        raise Wrong(f"accepted a reveal in round {number} that does not count: {refused}") from None
    return state


def opening(view: MatchView, number: int, seat: Seat) -> tuple[Commitment, Reveal]:
    """What a player committed to in this round and what it revealed, as the referee's result refers to them."""
    reveal = reveal_of(view, view.round_results[number], number, seat)
    id = reveal.content.commitment_event_id
    if id not in view.commitments:
        raise Missing(frozenset({id}))
    author, commitment = view.commitments[id]
    if author != view.players[seat] or commitment.round != number:
        raise Wrong(f"accepted a reveal in round {number} for a commitment of another player or round")
    return commitment, reveal


def reveal_of(view: MatchView, signed: Signed, number: int, seat: Seat) -> Reveal:
    named = signed.said.events
    if unknown := frozenset(id for id in named if id not in view.reveals):
        raise Missing(unknown)
    found = [view.reveals[id] for id in named if seat_of(view, view.reveals[id][0]) == seat]
    if len(found) != 1 or found[0][1].content.round != number:
        raise Wrong(f"published a result of round {number} that does not name one reveal of each player")
    return found[0][1]


def check_request(view: MatchView, number: int, opened: list[tuple[Commitment, Reveal]]) -> None:
    """What was revealed must be what was fixed when the referee asked for it."""
    request = view.reveal_requests.get(number)
    if request is None or not request.said.events:
        return
    if {reveal.content.commitment_event_id for _, reveal in opened} != set(request.said.events):
        raise Wrong(f"asked for the reveals of other commitments in round {number} than it then accepted")


def check_copies(number: int, opened: list[tuple[Commitment, Reveal]]) -> None:
    """Check for copies: a copied commitment could be opened with the other's reveal, and tie every round."""
    (first, shown), (second, also_shown) = opened
    if first.hash == second.hash or token_of(shown) == token_of(also_shown):
        raise Wrong(f"let both players play with one token in round {number}")


def token_of(reveal: Reveal) -> str:
    return reveal.content.mana_token_secret.lower()


def move_of(reveal: Reveal, number: int, league_of: LeagueOf) -> RevealMove:
    content = reveal.content
    league = league_of(content.keyset)
    if league is None:
        raise Wrong(f"accepted a token in round {number} whose keyset the mint does not have")
    return RevealMove(
        content.mana_token_secret, content.mana_token_signature, content.unit_index, content.nonce, league
    )


def compare_round(view: MatchView, done: Audit, number: int) -> None:
    mine, theirs = expected_round(view, done, number), view.result_of(number)
    if mine == theirs:
        return
    said, right = spoken_round(view, theirs), spoken_round(view, mine)
    detail = f"says {said}, but by the reveals it is {right}" if said != right else "gives the units wrong numbers"
    done.findings.append(f"{detail} (round {number})")


def expected_round(view: MatchView, done: Audit, number: int) -> RoundResult:
    played = done.state.rounds[number - 1]
    armies = done.state.armies
    assert armies[0] is not None
    assert armies[1] is not None
    units = fight(armies[0][played.picks[0]], armies[1][played.picks[1]]).units
    winner = None if played.winner is None else view.npubs[played.winner]
    return RoundResult(number, winner, played.damage, RoundUnits(after(units[0]), after(units[1])))


def after(unit: Unit) -> UnitAfterCombat:
    return UnitAfterCombat(unit.attack, unit.defense, unit.health, unit.max_health, str(unit.ability))


def spoken_round(view: MatchView, result: RoundResult) -> str:
    dealt = f"damage {result.damage_dealt[0]}-{result.damage_dealt[1]}"
    return f"{winner_text(view, result.winner)} with {dealt}"


def winner_text(view: MatchView, winner: str | None) -> str:
    if winner is None:
        return "a tie"
    return f"a win of player {view.npubs.index(winner) + 1}" if winner in view.npubs else "a win of somebody else"


# -- the result --------------------------------------------------------------------------------------------


def compare_result(view: MatchView, done: Audit) -> None:
    result, over = view.result, done.state.over
    if result is None:
        return
    if result.rounds < done.checked:
        done.findings.append(f"published {done.checked} rounds, but counts {result.rounds} in the result")
    if result.rounds > done.checked:
        return  # a round result is still on its way
    counted: Pair[Pair[int]] = wins(done.state), damage(done.state)
    if counted != (result.score, result.total_damage):
        done.findings.append(
            f"says the score is {result.score[0]}-{result.score[1]} with damage "
            f"{result.total_damage[0]}-{result.total_damage[1]}, but by the rounds it is "
            f"{counted[0][0]}-{counted[0][1]} with damage {counted[1][0]}-{counted[1][1]}"
        )
    if over is None:
        if result.reason in ("rounds", "draw"):
            done.findings.append(f"ended the match after {result.rounds} rounds, before it was decided")
        return
    winner = None if over.winner is None else view.npubs[over.winner]
    if (result.winner, result.reason) != (winner, over.reason):
        said, right = winner_text(view, result.winner), winner_text(view, winner)
        done.findings.append(f"says the match is {said} ({result.reason}), but it is {right} ({over.reason})")
