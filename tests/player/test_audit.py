"""A referee that says something else than what both players published is found out, and an honest one never is."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from dicehall.games.mana.state import SEATS
from dicehall.nostr.events import Event
from dicehall.nostr.match_events import BotContent, MatchResult, RevealRequest, RoundResult, RoundUnits
from dicehall.player.audit import audit
from dicehall.player.narration import cheating
from tests.player.scripted import BO, LEAGUES, MATCH_ID, REFEREE, Scripted, token


def findings(match: Scripted, events: list[Event] | None = None) -> list[str]:
    return audit(match.view(*(events or match.events)), LEAGUES.get).findings


@pytest.fixture
def played() -> Scripted:
    match = Scripted()
    match.play()
    return match


@pytest.mark.parametrize("seed", range(25))
def test_an_honest_referee_is_never_accused(seed: int) -> None:
    chance = Random(seed)
    match = Scripted(tokens=(token(f"a{seed}"), token(f"b{seed}")))
    match.begin()
    while match.state.over is None:
        match.round(chance.randrange(8), chance.randrange(8))
    match.referee(match.match_result())
    for last in range(1, len(match.events) + 1):
        assert findings(match, match.events[:last]) == []  # also while events are still on their way
    done = audit(match.view(), LEAGUES.get)
    assert (done.checked, done.missing, done.state) == (len(match.state.rounds), frozenset(), match.state)


def bent_round(match: Scripted, **changes: object) -> list[str]:
    event, content = match.find(RoundResult)
    return findings(match, match.replace(event, msgspec.structs.replace(content, **changes)))


def test_a_wrong_winner_of_a_round_is_found(played: Scripted) -> None:
    (found,) = bent_round(played, winner=BO.npub)
    assert "says a win of player 2" in found
    assert "by the reveals it is a win of player 1" in found


def test_a_tie_that_was_none_and_a_winner_who_does_not_play_are_found(played: Scripted) -> None:
    assert "says a tie" in bent_round(played, winner=None)[0]
    assert "somebody else" in bent_round(played, winner=REFEREE.npub)[0]


def test_wrong_damage_is_found(played: Scripted) -> None:
    assert "damage 255-0" in bent_round(played, damage_dealt=(255, 0))[0]


def test_wrong_units_after_combat_are_found(played: Scripted) -> None:
    _, content = played.find(RoundResult)
    assert isinstance(content, RoundResult)
    units = RoundUnits(msgspec.structs.replace(content.units.player1, health=1), content.units.player2)
    assert "units" in bent_round(played, units=units)[0]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"winner": BO.npub}, "a win of player 2"),
        ({"winner": None, "reason": "draw"}, "a tie"),
        ({"score": (0, 3)}, "the score is 0-3"),
        ({"total_damage": (1, 2)}, "damage 1-2"),
        ({"rounds": 1}, "counts 1"),
        ({"reason": "forfeit"}, "forfeit"),
    ],
)
def test_a_wrong_result_is_found(played: Scripted, changes: dict[str, object], told: str) -> None:
    event, content = played.find(MatchResult)
    found = findings(played, played.replace(event, msgspec.structs.replace(content, **changes)))
    assert told in "; ".join(found)


def test_a_match_that_is_ended_before_it_is_decided_is_found() -> None:
    match = Scripted()
    match.begin()
    match.round(*match.units_with_winner(0))
    won, dealt = (1, 0), match.state.rounds[0].damage
    match.referee(MatchResult(MATCH_ID, match.npubs[0], won, dealt, 1, "rounds", 1))
    assert "before it was decided" in findings(match)[0]


def test_a_round_after_the_match_was_decided_is_found(played: Scripted) -> None:
    number = len(played.state.rounds)
    _, last = played.find(RoundResult)
    played.referee(msgspec.structs.replace(last, round=number + 1))
    assert "already decided" in findings(played)[0]


def revealed(match: Scripted, units: tuple[int, int], committed: list[Event]) -> list[Event]:
    match.request(1, *committed)
    return [match.reveal(seat, 1, units[seat], committed[seat]) for seat in SEATS]


def test_a_reveal_that_does_not_open_its_commitment_is_found() -> None:
    match = Scripted()
    match.begin()
    committed = [match.commit(seat, 1, 2) for seat in SEATS]
    shown = revealed(match, (2, 2), committed)
    match.referee(match.round_result(1), shown[0], match.opening(SEATS[1], 1, 5, committed[1]))
    assert "does not match its commitment" in findings(match)[0]


def test_a_commitment_made_after_the_other_reveal_is_found() -> None:
    """The request for reveals names the commitments, so another one cannot be slipped in later."""
    match = Scripted()
    match.begin()
    committed = [match.commit(seat, 1, 2) for seat in SEATS]
    shown = revealed(match, (2, 2), committed)
    late = match.commitment(SEATS[1], 1, 5)
    match.referee(match.round_result(1), shown[0], match.opening(SEATS[1], 1, 5, late))
    assert "other commitments in round 1 than it then accepted" in findings(match)[0]


def test_a_commitment_of_the_other_player_or_of_another_round_is_found() -> None:
    for seat, number in ((SEATS[0], 1), (SEATS[1], 2)):
        match = Scripted()
        match.begin()
        committed = [match.commit(at, 1, 2) for at in SEATS]
        shown = [match.reveal(at, 1, 2, committed[at]) for at in SEATS]
        wrong = match.commitment(seat, number, 2)
        match.referee(match.round_result(1), shown[0], match.opening(SEATS[1], 1, 2, wrong))
        assert "another player or round" in findings(match)[0]


def test_another_token_in_a_later_round_is_found() -> None:
    match, stronger = Scripted(), token("a stronger army")
    match.begin()
    match.round(1, 1)
    committed = [match.commitment(SEATS[0], 2, 1), match.commitment(SEATS[1], 2, 1, stronger)]
    match.request(2, *committed)
    shown = [match.opening(SEATS[0], 2, 1, committed[0]), match.opening(SEATS[1], 2, 1, committed[1], stronger)]
    match.referee(msgspec.structs.replace(match.round_result(1), round=2), *shown)
    assert "the token that was revealed first" in findings(match)[0]


def test_a_player_who_plays_with_a_copy_of_the_others_reveal_is_found() -> None:
    """A commitment can be copied before it is opened, and the other's reveal then opens the copy, too."""
    match = Scripted(tokens=(token("Ann"), token("Ann")))
    match.begin()
    committed = [match.commit(SEATS[0], 1, 2), match.commitment(SEATS[1], 1, 3)]
    match.request(1, *committed)
    shown = [match.opening(SEATS[0], 1, 2, committed[0]), match.opening(SEATS[1], 1, 3, committed[1])]
    match.referee(Scripted.tied(), *shown)
    assert "with one token" in findings(match)[0]


def test_a_result_that_does_not_name_one_reveal_of_each_player_is_found() -> None:
    match = Scripted()
    match.begin()
    committed = [match.commit(seat, 1, 2) for seat in SEATS]
    shown = revealed(match, (2, 2), committed)
    match.referee(match.round_result(1), shown[0], shown[0])
    assert "one reveal of each player" in findings(match)[0]


def test_a_token_of_a_keyset_that_the_mint_does_not_have_is_found(played: Scripted) -> None:
    assert "keyset" in audit(played.view(), lambda _: None).findings[0]


def test_two_different_words_on_the_same_thing_are_found(played: Scripted) -> None:
    event, content = played.find(RoundResult)
    more: list[BotContent] = [
        msgspec.structs.replace(content, winner=BO.npub),
        msgspec.structs.replace(played.match_result(), winner=BO.npub),
        RevealRequest(MATCH_ID, 1, "waiting_for_reveals"),
    ]
    for one in more:
        played.referee(one)
    assert event in played.events
    assert len([found for found in findings(played) if "two different" in found]) == 3


def test_events_that_a_relay_has_lost_are_named_and_nobody_is_accused(played: Scripted) -> None:
    view = played.view()
    lost = next(iter(view.reveals))
    left = [event for event in played.events if event.id != lost]
    done = audit(played.view(*left), LEAGUES.get)
    assert (done.missing, done.findings, done.checked) == (frozenset({lost}), [], 0)
    commitment = next(iter(view.commitments))
    left = [event for event in played.events if event.id != commitment]
    assert audit(played.view(*left), LEAGUES.get).missing == frozenset({commitment})


def test_a_finding_names_the_referee_in_a_sentence() -> None:
    note = cheating(REFEREE.public_hex, "says a tie")
    assert note.sentence == f"The referee {REFEREE.npub} is wrong or cheats: it says a tie."
