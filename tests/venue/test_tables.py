"""What players do in the world, at chairs and observer spots, as they and everybody else see it."""

from __future__ import annotations

from tests.venue.world import BUST, ONE, PLAYER, SPECTATOR, World, in_a_world


@in_a_world()
async def test_the_first_to_use_a_chair_sees_a_lobby(world: World) -> None:
    """A16."""
    await world.use("ann", world.oak[2])
    assert world.sees("ann", "board_name", "board_rows", "board_score") == [["Ann (you)"], 1, [""]]
    assert world.sees("ann", "start_shown", "start_on", "start_label") == [True, False, "START"]
    assert world.sees("ann", "turn") == "Waiting to start: 1 of 6 seats taken"
    assert world.sees("ann", "status") == "A game needs 2 players: wait for somebody to sit down."
    assert world.bridge.tables()["tables"][0]["phase"] == "Lobby"


@in_a_world()
async def test_from_two_players_on_anybody_seated_may_start(world: World) -> None:
    """A16, C12."""
    await world.lobby("ann")
    assert await world.code(world.click("ann", "start")) == "too_few_seats"
    await world.use("bo", world.oak[4])
    assert world.sees("ann", "start_on", "news") == [True, "Bo sits down."]
    await world.click("bo", "start")
    assert world.sees("ann", "start_shown", "start_on") == [False, False]
    assert world.bridge.tables()["tables"][0]["phase"] == "InProgress"
    assert await world.code(world.click("bo", "start")) == "already_started"


@in_a_world()
async def test_one_moves_to_another_free_chair_of_the_same_table(world: World) -> None:
    """A16."""
    await world.lobby("ann", "bo")
    assert await world.code(world.use("ann", world.oak[1])) == "seat_taken"
    await world.use("ann", world.oak[5])
    await world.leave("ann", world.oak[0])  # the heartbeat notices late that she has left the first chair
    assert world.sees("bo", "board_name") == ["Bo (you)", "Ann"]
    assert world.has_window("ann")


@in_a_world()
async def test_a_player_sits_at_one_table_only(world: World) -> None:
    await world.lobby("ann", "bo")
    await world.use("ann", world.elm[0])
    assert world.sees("bo", "board_name") == ["Bo (you)"]
    assert [table["players"] for table in world.bridge.tables()["tables"]] == [["Bo"], ["Ann"]]


@in_a_world()
async def test_a_chair_that_is_refused_elsewhere_costs_nobody_their_own(world: World) -> None:
    await world.lobby("ann", "bo")
    await world.use("cy", world.elm[0])
    assert await world.code(world.use("ann", world.elm[0])) == "seat_taken"
    assert world.sees("bo", "board_name") == ["Ann", "Bo (you)"]


@in_a_world()
async def test_several_tables_play_at_once(world: World) -> None:
    await world.play("ann", "bo")
    for at, player in enumerate(("cy", "di")):
        await world.use(player, world.elm[at])
    await world.click("di", "start")
    titles = [world.module.windows[key, PLAYER].nui["title"] for key in ("ann", "cy")]
    assert titles == ["Aetharn - Table #1", "Aetharn - Table #2"]
    assert [table["phase"] for table in world.bridge.tables()["tables"]] == ["InProgress", "InProgress"]
    assert world.sees("di", "board_rows") == 2


@in_a_world()
async def test_who_leaves_a_chair_in_the_lobby_is_out_of_it_and_the_last_clears_it(world: World) -> None:
    """A16."""
    await world.lobby("ann", "bo")
    await world.watch("eve")
    await world.leave("bo", world.oak[1])
    assert not world.has_window("bo")
    assert world.sees("ann", "news", "board_rows") == ["Bo stands up.", 1]
    await world.leave("ann", world.oak[0])
    assert world.module.windows == {}
    assert world.module.messages_to("eve") == ["Everybody has left the table."]
    assert world.bridge.tables()["tables"][0]["phase"] == "Empty"


@in_a_world()
async def test_leaving_the_chair_in_a_game_is_an_absence_at_once_with_warnings_and_a_removal(world: World) -> None:
    """A12: the reason is that the grace period expired."""
    await world.play("ann", "bo", "cy")
    await world.leave("bo", world.oak[1])
    assert world.sees("ann", "board_note") == ["current turn", "absent, 60 s left", ""]
    assert world.sees("bo", "status") == "Sit down again within 60 s, or you are out."
    assert world.sees("bo", "fold_on") is False
    await world.until(62_000)
    assert world.module.messages_to("cy")[1:] == [
        "Bo has left the table and has 60 s to come back.",
        *(f"Bo has {left} s to come back." for left in (45, 30, 15, 10, 5)),
        "Bo is out of the game (Grace period expired); 2 players are left.",
    ]
    assert world.module.messages_to("bo") == world.module.messages_to("cy")
    assert not world.has_window("bo")
    assert world.sees("ann", "board_note")[1] == "removed"
    assert await world.code(world.use("bo", world.oak[1])) == "seat_is_out"
    await world.watch("bo")
    assert world.has_window("bo", SPECTATOR)


@in_a_world()
async def test_one_returns_also_to_another_chair(world: World) -> None:
    """A12, A16."""
    await world.play("ann", "bo", rolls=(ONE,))
    await world.leave("bo", world.oak[1])
    await world.until(20_000)
    await world.use("bo", world.oak[4])
    assert world.sees("bo", "board_note", "status") == [["current turn", ""], "Waiting for Ann."]
    assert world.module.messages_to("ann")[-1] == "Bo is back."
    await world.leave("bo", world.oak[1])  # what the heartbeat says of the chair he left before
    assert world.sees("ann", "board_note")[1] == ""
    assert await world.code(world.use("cy", world.oak[1])) == "already_started"


@in_a_world(turn_seconds=200)
async def test_a_player_who_leaves_the_server_is_absent_after_five_seconds(world: World) -> None:
    """A12: the reason is that the connection was lost."""
    await world.play("ann", "bo", "cy")
    await world.quit("bo")
    await world.until(4_900)
    assert world.sees("ann", "board_note")[1] == ""
    await world.until(6_000)
    assert world.sees("ann", "board_note")[1].startswith("absent")
    await world.until(67_000)
    assert world.module.messages_to("ann")[-1] == "Bo is out of the game (Disconnected); 2 players are left."


@in_a_world()
async def test_a_player_who_is_soon_back_was_never_away(world: World) -> None:
    """A12."""
    await world.play("ann", "bo")
    await world.quit("bo")
    await world.until(3_000)
    await world.use("bo", world.oak[3])  # in another chair, too
    await world.until(20_000)
    assert world.module.messages_to("ann") == ["Turn order: Ann and Bo. Ann goes first."]
    assert world.sees("bo", "status") == "Waiting for Ann."


@in_a_world()
async def test_when_the_module_is_loaded_anew_everybody_has_lost_the_connection(world: World) -> None:
    """A12."""
    await world.play("ann", "bo", "cy")
    await world.send(type="module_loaded")
    await world.use("cy", world.oak[2])
    await world.until(10_000)
    assert [note[:6] for note in world.sees("cy", "board_note")] == ["absent", "absent", ""]


@in_a_world()
async def test_what_becomes_of_a_seat_left_behind_does_not_close_the_window_at_another_table(world: World) -> None:
    """A12, A16."""
    await world.play("ann", "bo", "cy")
    await world.use("ann", world.elm[0])
    assert world.sees("bo", "board_note")[0] == "absent, 60 s left"
    await world.until(62_000)
    assert world.sees("bo", "board_note")[0] == "removed"
    assert world.sees("ann", "turn") == "Waiting to start: 1 of 3 seats taken"


@in_a_world(goal=100)
async def test_leaving_the_chair_of_a_finished_game_does_not_close_the_window_at_another_table(world: World) -> None:
    await world.play("ann", "bo", rolls=(ONE,))
    await world.click("ann", "roll")
    await world.tick("ann", 0)
    await world.click("ann", "bank")
    await world.use("ann", world.elm[0])
    await world.leave("ann", world.oak[0])
    assert world.sees("ann", "turn") == "Waiting to start: 1 of 3 seats taken"


# -- spectators ---------------------------------------------------------------------------------------


@in_a_world()
async def test_an_observer_spot_is_used_to_watch_and_to_stop_it(world: World) -> None:
    """A17."""
    await world.play("ann", "bo", rolls=(ONE,))
    await world.watch("eve")
    await world.click("ann", "roll")
    shown = ("die0_one", "turn", "status")
    assert world.sees("eve", *shown, window=SPECTATOR) == [True, "Current turn: Ann", "Waiting for Ann."]
    await world.watch("eve")
    assert not world.has_window("eve", SPECTATOR)
    assert world.bridge.places.service.get_active_games()[0].spectators == ()
    await world.watch("eve")
    assert world.has_window("eve", SPECTATOR)


@in_a_world()
async def test_a_spectator_has_no_buttons_and_can_do_nothing(world: World) -> None:
    """A17."""
    await world.play("ann", "bo")
    await world.watch("eve")
    nui = repr(world.module.windows["eve", SPECTATOR].nui)
    assert "'button'" not in nui
    assert "'check'" not in nui
    for window in (PLAYER, SPECTATOR):
        assert await world.code(world.click("eve", "roll", window)) == "not_found"


@in_a_world()
async def test_nobody_watches_where_nobody_plays_nor_at_the_table_they_sit_at(world: World) -> None:
    """A17."""
    assert await world.code(world.watch("eve")) == "no_such_table"
    await world.play("ann", "bo")
    assert await world.code(world.watch("ann")) == "already_seated"


@in_a_world()
async def test_a_late_comer_cannot_sit_but_may_watch(world: World) -> None:
    """A16."""
    await world.play("ann", "bo")
    assert await world.code(world.use("cy", world.oak[2])) == "already_started"
    await world.watch("cy")
    assert world.has_window("cy", SPECTATOR)


@in_a_world()
async def test_a_spectator_who_sits_down_has_the_players_window_instead(world: World) -> None:
    """A17."""
    await world.lobby("ann")
    await world.watch("bo")
    await world.use("bo", world.oak[1])
    assert [world.has_window("bo"), world.has_window("bo", SPECTATOR)] == [True, False]


@in_a_world()
async def test_a_spectator_who_leaves_the_server_is_gone(world: World) -> None:
    await world.play("ann", "bo")
    await world.watch("eve")
    await world.quit("eve")
    assert world.bridge.places.service.get_active_games()[0].spectators == ()


# -- the end ------------------------------------------------------------------------------------------


@in_a_world(goal=100)
async def test_after_a_game_the_winner_is_shown_and_the_next_one_is_a_click_away(world: World) -> None:
    """A10."""
    await world.play("ann", "bo", rolls=(ONE,))
    await world.watch("eve")
    await world.click("ann", "roll")
    await world.tick("ann", 0)
    await world.click("ann", "bank")
    assert world.sees("bo", "status", "board_note") == ["Ann wins!", ["winner", ""]]
    assert world.module.messages_to("eve")[-1] == "Ann wins! Final standings: Ann and Bo."
    assert world.sees("bo", "start_label", "start_on", "roll_on", "fold_on") == ["NEW GAME", True, False, False]
    await world.click("bo", "start")
    assert world.sees("bo", "board_name", "start_label") == [["Bo (you)"], "START"]
    assert world.module.messages_to("ann")[-1] == "Bo sits down for a new game. Press NEW GAME to join."
    assert world.sees("ann", "status") == "Ann wins!"  # until she wants to play again
    assert world.sees("eve", "board_name", window=SPECTATOR) == ["Bo"]
    await world.click("ann", "start")
    assert world.sees("bo", "board_name", "start_on") == [["Ann", "Bo (you)"], True]


@in_a_world(goal=100)
async def test_who_gets_up_after_the_end_has_no_window_any_more(world: World) -> None:
    await world.play("ann", "bo", rolls=(ONE,))
    await world.click("ann", "roll")
    await world.tick("ann", 0)
    await world.click("ann", "bank")
    await world.until(600_000)  # long after the table was put away
    await world.leave("ann", world.oak[0])
    assert [world.has_window("ann"), world.has_window("bo")] == [False, True]


@in_a_world()
async def test_when_a_table_is_destroyed_its_game_is_abandoned_and_everybody_is_told(world: World) -> None:
    """A15, C9."""
    await world.play("ann", "bo")
    await world.watch("eve")
    await world.destroy(world.venue.tables[0].id)
    for player in ("ann", "bo", "eve"):
        assert world.module.messages_to(player)[-1] == "The table was destroyed: the game is abandoned."
    assert world.module.windows == {}
    assert [table["name"] for table in world.bridge.tables()["tables"]] == ["Aetharn - Table #2"]
    assert await world.code(world.use("ann", world.oak[0])) == "no_such_table"
    assert await world.code(world.watch("eve")) == "no_such_table"
    await world.use("ann", world.elm[0])  # the other one is as it was


@in_a_world()
async def test_a_destroyed_trigger_takes_its_table_along(world: World) -> None:
    """A15."""
    await world.lobby("ann")
    await world.destroy(world.venue.tables[0].trigger.id)
    assert world.module.messages_to("ann") == ["The table was destroyed: the game is abandoned."]
    assert not world.has_window("ann")


@in_a_world()
async def test_who_sat_in_a_destroyed_chair_may_return_to_another(world: World) -> None:
    """A12, A16."""
    await world.play("ann", "bo")
    await world.destroy(world.oak[1])
    assert world.sees("ann", "board_note")[1] == "absent, 60 s left"
    assert await world.code(world.use("bo", world.oak[1])) == "no_such_table"
    await world.use("bo", world.oak[2])
    assert world.sees("ann", "board_note")[1] == ""
    assert world.oak[1] not in [chair["id"] for chair in world.bridge.tables()["tables"][0]["chairs"]]


@in_a_world()
async def test_a_destroyed_observer_spot_is_used_no_more(world: World) -> None:
    await world.play("ann", "bo")
    await world.destroy(world.bench)
    assert await world.code(world.watch("eve")) == "no_such_table"


@in_a_world()
async def test_when_the_last_players_leave_spectators_see_that_nobody_won(world: World) -> None:
    """A15."""
    await world.play("ann", "bo", rolls=(BUST,))
    await world.watch("eve")
    for at, player in enumerate(("ann", "bo")):
        await world.leave(player, world.oak[at])
    await world.until(62_000)
    assert world.sees("eve", "status", window=SPECTATOR) == "The game was abandoned."
    assert world.module.messages_to("eve")[-1] == "Everyone has left, so nobody wins."
    await world.use("cy", world.oak[0])
    assert world.sees("eve", "board_name", window=SPECTATOR) == ["Cy"]


@in_a_world()
async def test_two_characters_of_one_name_are_told_apart(world: World) -> None:
    for at, key in enumerate(("k1", "k2")):
        chair = world.oak[at]
        payload = {"area": "griffin", "object": chair}
        await world.send(type="chair_used", player={"key": key, "name": "Bo"}, payload=payload)
    assert world.sees("k2", "board_name") == ["Bo", "Bo 2 (you)"]


@in_a_world()
async def test_a_key_is_an_account_whatever_its_character_is_called(world: World) -> None:
    await world.lobby("ann", "bo")
    payload = {"area": "griffin", "object": world.oak[3]}
    await world.send(type="chair_used", player={"key": "ann", "name": "Zoe"}, payload=payload)
    assert world.sees("bo", "board_name") == ["Bo (you)", "Zoe"]
