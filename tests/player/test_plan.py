"""What a player does next, from events in any order and from what it has stored."""

from __future__ import annotations

from random import Random

import pytest

from dicehall.games.mana.state import SEATS
from dicehall.nostr.events import Event, sign_event
from dicehall.nostr.match_events import BotEvent, Commitment, MatchAnnouncement, MatchResult, RevealRequest
from dicehall.player.match_view import MAX_EVENTS_PER_PLAYER, MatchView
from dicehall.player.plan import (
    Awaited,
    CommitAgain,
    Done,
    OwnCommitment,
    PickUnit,
    Progress,
    RedeemLoot,
    SendAcceptance,
    SendChallenge,
    SendReveal,
    Wait,
    next_step,
)
from dicehall.player.session import waiting_text
from tests.player.scripted import ANN, BO, MATCH_ID, REFEREE, STRANGER, Scripted


def test_a_challenger_challenges_and_waits_for_the_referee_and_then_for_the_other_player() -> None:
    match = Scripted()
    view = MatchView(MATCH_ID, REFEREE.public_hex, match.players)
    assert next_step(view, Progress(0)) == SendChallenge()
    assert next_step(view, Progress(0, opened=True)) == Wait(Awaited.ANNOUNCEMENT, 1)
    view.add(match.announce("waiting_for_acceptance"))
    assert next_step(view, Progress(0, opened=True)) == Wait(Awaited.ACCEPTANCE, 1)
    view.add(match.announce("waiting_for_commitments"))
    assert next_step(view, Progress(0, opened=True)) == PickUnit(1)


def test_a_challenged_player_accepts_and_waits_for_the_referee() -> None:
    view = Scripted().view()
    assert next_step(view, Progress(1)) == SendAcceptance()
    assert next_step(view, Progress(1, opened=True)) == Wait(Awaited.START, 1)


def test_a_refused_challenge_is_done() -> None:
    match = Scripted()
    match.announce("refused", "busy")
    assert next_step(match.view(), Progress(0, opened=True)) == Done()


def test_a_match_id_that_belongs_to_others_is_done() -> None:
    match = Scripted()
    match.referee(MatchAnnouncement(MATCH_ID, (STRANGER.npub, BO.npub), "waiting_for_acceptance", 1))
    assert next_step(match.view(), Progress(0, opened=True)) == Done()


def committed(match: Scripted) -> tuple[Event, Event]:
    match.begin()
    return match.commit(SEATS[0], 1, 3), match.commit(SEATS[1], 1, 4)


def test_somebody_who_waits_is_not_told_that_the_other_has_not_picked_once_they_have() -> None:
    match = Scripted()
    match.begin()
    match.commit(SEATS[0], 1, 3)
    step = Wait(Awaited.REVEAL_REQUEST, 1)
    assert waiting_text(match.view(), 0, step) == "The other player has not picked yet. Waiting."
    match.commit(SEATS[1], 1, 4)
    assert "the referee has not asked for the reveals yet" in waiting_text(match.view(), 0, step)


def own(*events: Event) -> tuple[OwnCommitment, ...]:
    return tuple(OwnCommitment(event.id, event.content) for event in events)


def again(match: Scripted) -> Event:
    """A second commitment of Ann's."""
    return match.say(ANN, Commitment(MATCH_ID, 1, "cd" * 32))


def copied(match: Scripted, original: Event, number: int = 1) -> Event:
    return match.say(BO, Commitment(MATCH_ID, number, original.content))


def test_who_is_copied_commits_once_more_to_the_same_unit() -> None:
    """If the copy reached the referee first, the original was refused (M8)."""
    match = Scripted()
    match.begin()
    first = match.commit(SEATS[0], 1, 3)
    copied(match, first)
    assert next_step(match.view(), Progress(0, True, (1, 3), own(first))) == CommitAgain(1)
    second = again(match)
    copied(match, second)
    both = Progress(0, True, (1, 3), own(first, second))
    assert next_step(match.view(), both) == Wait(Awaited.REVEAL_REQUEST, 1)


def test_a_copy_for_another_round_or_after_the_request_needs_no_second_commitment() -> None:
    match = Scripted()
    mine, theirs = committed(match)
    progress = Progress(0, True, (1, 3), own(mine))
    copied(match, mine, 2)
    assert next_step(match.view(), progress) == Wait(Awaited.REVEAL_REQUEST, 1)
    match.request(1, mine, theirs)
    copied(match, mine)
    assert next_step(match.view(), progress) == SendReveal(1, mine.id)


@pytest.mark.parametrize("named", [0, 1])
def test_of_two_commitments_only_the_one_that_the_referee_names_is_opened(named: int) -> None:
    match = Scripted()
    match.begin()
    mine = match.commit(SEATS[0], 1, 3), again(match)
    match.request(1, mine[named], copied(match, mine[1 - named]))
    assert next_step(match.view(), Progress(0, True, (1, 3), own(*mine))) == SendReveal(1, mine[named].id)


def test_a_request_for_both_of_ones_own_commitments_is_not_followed() -> None:
    match = Scripted()
    match.begin()
    mine = match.commit(SEATS[0], 1, 3), again(match)
    match.request(1, *mine)
    assert next_step(match.view(), Progress(0, True, (1, 3), own(*mine))) == Wait(Awaited.REVEAL_REQUEST, 1)


def test_where_the_request_names_no_commitments_one_that_was_not_copied_is_opened() -> None:
    match = Scripted()
    match.begin()
    first = match.commit(SEATS[0], 1, 3)
    copied(match, first)
    match.request(1)
    assert next_step(match.view(), Progress(0, True, (1, 3), own(first))) == Wait(Awaited.REVEAL_REQUEST, 1)
    second = again(match)
    assert next_step(match.view(), Progress(0, True, (1, 3), own(first, second))) == SendReveal(1, second.id)


def test_a_reveal_follows_a_request_that_names_both_commitments() -> None:
    match = Scripted()
    mine, theirs = committed(match)
    progress = Progress(0, True, (1, 3), own(mine))
    assert next_step(match.view(), progress) == Wait(Awaited.REVEAL_REQUEST, 1)
    match.request(1, mine, theirs)
    assert next_step(match.view(), progress) == SendReveal(1, mine.id)
    assert next_step(match.view(), Progress(0, True, (1, 3), own(mine), revealed=1)) == Wait(Awaited.ROUND_RESULT, 1)


def test_a_request_that_does_not_fix_the_other_commitment_is_not_followed() -> None:
    """A referee that plays with the other side could ask one player to reveal before the other has chosen."""
    for named in ((0,), (0, 0), (1, 1), (1,)):
        match = Scripted()
        events = committed(match)
        match.request(1, *(events[at] for at in named))
        assert next_step(match.view(), Progress(0, True, (1, 3), own(events[0]))) == Wait(Awaited.REVEAL_REQUEST, 1)


def test_a_request_for_a_copy_of_ones_own_commitment_is_not_followed() -> None:
    match = Scripted()
    match.begin()
    mine = match.commit(SEATS[0], 1, 3)
    copy = match.say(BO, Commitment(MATCH_ID, 1, mine.content))
    match.request(1, mine, copy)
    assert next_step(match.view(), Progress(0, True, (1, 3), own(mine))) == Wait(Awaited.REVEAL_REQUEST, 1)


def test_a_request_that_names_no_commitments_is_followed_once_the_other_one_is_seen() -> None:
    match = Scripted()
    match.begin()
    mine = match.commit(SEATS[0], 1, 3)
    match.request(1)
    progress = Progress(0, True, (1, 3), own(mine))
    assert next_step(match.view(), progress) == Wait(Awaited.REVEAL_REQUEST, 1)
    match.commit(SEATS[1], 1, 4)
    assert next_step(match.view(), progress) == SendReveal(1, mine.id)


def test_only_the_referees_key_speaks_for_the_referee() -> None:
    match = Scripted()
    mine, theirs = committed(match)
    honest = list(match.events)
    for key in (BO, STRANGER):
        match.referee(RevealRequest(MATCH_ID, 1, "waiting_for_reveals"), mine, theirs, key=key)
        match.referee(MatchResult(MATCH_ID, BO.npub, (0, 3), (0, 9), 3, "rounds", 1), key=key)
    view = match.view()
    assert set(view.known) == {event.id for event in honest}
    assert next_step(view, Progress(0, True, (1, 3), own(mine))) == Wait(Awaited.REVEAL_REQUEST, 1)


def test_events_of_another_match_do_not_count() -> None:
    match = Scripted()
    said = BotEvent("m-2", MatchAnnouncement("m-2", match.npubs, "waiting_for_commitments", 1))
    assert not match.view().add(sign_event(REFEREE, 1, 1, *said.encode()))


def test_nothing_is_picked_after_the_round_that_decides_the_match() -> None:
    """The last round's result comes before that of the match (M6)."""
    match = Scripted()
    match.play()
    view = match.view(*match.events[:-1])
    rounds = len(match.state.rounds)
    assert view.result is None
    assert next_step(view, Progress(0, True, (rounds, 1), (), rounds)) == Wait(Awaited.MATCH_RESULT, rounds + 1)


def test_after_the_end_only_the_winner_waits_for_loot_and_redeems_it_once() -> None:
    match = Scripted()
    match.play()
    assert next_step(match.view(), Progress(1)) == Done()
    assert next_step(match.view(), Progress(0)) == Wait(Awaited.LOOT, len(match.state.rounds))
    match.reward(ANN)
    assert isinstance(next_step(match.view(), Progress(0)), RedeemLoot)
    assert next_step(match.view(), Progress(0, redeemed=True)) == Done()


@pytest.mark.parametrize("seed", range(20))
def test_the_order_and_the_repetition_of_events_make_no_difference(seed: int) -> None:
    match, chance = Scripted(), Random(seed)
    match.play()
    match.reward(ANN)
    events = match.events[: chance.randrange(1, len(match.events) + 1)]
    shuffled = [*events, *chance.choices(events, k=10)]
    chance.shuffle(shuffled)
    for progress in (Progress(0, True), Progress(1, True), Progress(0, True, (1, 3), (), 1)):
        assert next_step(match.view(*shuffled), progress) == next_step(match.view(*events), progress)
    assert match.view(*shuffled).contradictions == []


def test_a_flood_of_the_other_players_events_fills_only_its_share_of_the_memory() -> None:
    match = Scripted()
    mine, _ = committed(match)
    view = match.view()
    view.counts[BO.public_hex] = MAX_EVENTS_PER_PLAYER
    late = match.say(BO, Commitment(MATCH_ID, 1, "ab" * 32))
    assert not view.add(late)
    assert view.add(late, asked_for=True)
    assert view.add(match.request(1, mine, late))
