"""Tables of a venue live as long as the process, tables of the hall are kept."""

from __future__ import annotations

from dicehall.hall.opening import Opening
from dicehall.hall.seeds.aetharn import AetharnService
from dicehall.hall.seeds.aetharn_shapes import GamePhase
from dicehall.store.memory import MemoryJournal
from tests.hall.seeds.small_hall import small_hall
from tests.hall.seeds.venue import OAK, ONE, Venue, at_a_venue
from tests.table.hosting import Box, code_of
from tests.table.virtual import VirtualClock, run


def test_tables_of_a_venue_end_with_the_process_and_tables_of_the_hall_are_kept() -> None:
    """A20."""
    clock, kept = VirtualClock(), MemoryJournal()  # *kept* stands for a file: it outlives the process

    async def first_process() -> tuple[str, str]:
        hall, world = small_hall(clock, Box(), kept), small_hall(clock, Box())
        await hall.host.start()
        await world.host.start()
        table = await hall.open("ann", Opening("aetharn"))
        for player in ("ann", "bo"):
            await hall.sit(player, table)
        service = AetharnService(world)
        service.register_table("oak", OAK)
        for at, player in enumerate(["ann", "bo"]):
            game = await service.on_chair_used(OAK[at], player)
        await game.start()
        for one in (hall, world):
            await one.host.stop()
        return table, game.game_id

    async def second_process(table: str, game_id: str) -> None:
        hall, world = small_hall(clock, Box(), kept, "p2"), small_hall(clock, Box(), process="p2")
        await hall.host.start()
        await world.host.start()
        assert [seat["name"] for seat in (await hall.look("ann", table))["seats"]][:2] == ["Ann", "Bo"]
        assert await code_of(hall.look("ann", game_id)) == "no_such_table"
        assert await code_of(world.look("ann", game_id)) == "no_such_table"
        service = AetharnService(world)
        service.register_table("oak", OAK)
        assert service.get_active_games() == ()
        assert (await service.on_chair_used(OAK[0], "ann")).phase is GamePhase.LOBBY
        for one in (hall, world):
            await one.host.stop()

    run(second_process(*run(first_process(), clock)), clock)


@at_a_venue
async def test_results_of_a_venues_games_are_counted_where_its_hall_counts(venue: Venue) -> None:
    """A20: as long as the process lives."""
    game = await venue.play("ann", "bo", rolls=(ONE,), goal=100)
    await game.roll()
    await game.hold_dice([0])
    await game.bank()
    counts = await venue.hall.parts.register.counts("ann")
    assert [(count.game, count.played, count.won) for count in counts] == [("aetharn", 1, 1)]
