"""Lines that break at any moment lose nothing and double nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from dicehall.client.errors import Unreachable
from dicehall.client.hall import HallClient
from dicehall.client.lines import Line, LineClosed
from dicehall.client.talk import Patience
from dicehall.launch.in_process import dial_into
from tests.client.halls import BreakingLines, awaited, client, open_hall, play


@pytest.mark.parametrize(("game", "seed"), [("wards", 1), ("aetharn", 2), ("tenthousand", 3), ("mana", 4)])
@awaited
async def test_a_game_over_breaking_lines_is_told_and_played_once(tmp_path: Path, game: str, seed: int) -> None:
    """C3: each move that was acknowledged is in the record once, and each update was heard once."""
    rules = {"wards": {"goal": 40}, "aetharn": {"goal": 1000}, "tenthousand": {"goal": 1500, "opening": 0}, "mana": {}}
    async with open_hall(tmp_path) as running:
        lines = [BreakingLines(dial_into(running.sockets), Random(seed + who)) for who in (0, 100)]
        async with client(lines[0]) as ann, client(lines[1]) as bo:
            await ann.guest("Ann")
            await bo.guest("Bo")
            table = (await ann.open(game, seats=2, rules=dict(rules[game])))["id"]
            heard: list[int] = []
            await ann.watch(table, tell=lambda update: heard.append(update.n))
            await ann.sit(table)
            await bo.sit(table)
            if game in ("aetharn", "tenthousand"):
                await ann.start(table)
            await asyncio.gather(play(ann, table, Random(seed)), play(bo, table, Random(seed)))
            last = (await ann.look(table))["n"]
            await ann.news(table, last - 1)
            assert heard == list(range(2, last + 1))
            record = await ann.record(table)
            assert len(record["seal"]["words"][0]) == len(record["seal"]["words"][1]) == 32
        assert sum(line.broken for line in lines[0].lines + lines[1].lines) > 5
        acts = [row for row in await running.journal.rows(table) if row.id is not None]
        assert len({(row.account, row.id) for row in acts}) == len(acts)
        moves = [entry for entry in record["entries"] if "move" in entry]
        assert len(moves) == sum(b'"act":"played"' in row.act for row in acts)


@awaited
async def test_a_move_whose_answer_was_lost_is_made_once(tmp_path: Path) -> None:
    """The request is sent again under the same `once` and answered with the act of the first."""
    async with open_hall(tmp_path) as running:
        lines = BreakingLines(dial_into(running.sockets), Random(5))
        lines.chance = Steady()
        async with client(lines) as ann, client(dial_into(running.sockets)) as bo:
            await ann.guest("Ann")
            await bo.guest("Bo")
            table = (await ann.open("wards"))["id"]
            await ann.sit(table)
            await bo.sit(table)
            while (await bo.look(table))["phase"] == "lobby":
                await bo.news(table, (await bo.look(table))["n"])
            before = (await bo.look(table))["n"]
            lines.lines[-1].left, lines.lines[-1].lose_sent = 0, True
            n = await ann.act(table, "hold")
            assert len(lines.lines) == 2
            rows = await running.journal.rows(table, before)
            assert [row.seq for row in rows if b'"act":"played"' in row.act] == [n]


class Steady(Random):
    """Lines that hold until a test breaks them."""

    def random(self) -> float:
        return 0.9

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        return 1_000_000


@awaited
async def test_a_client_gives_up_when_its_patience_is_over() -> None:
    async def dial() -> Line:
        raise LineClosed("nobody there")

    async with HallClient(dial, lambda count: b"0" * count, Patience(0.001, 0.001, gives_up=0.02)) as hall:
        with pytest.raises(Unreachable, match="nobody there"):
            await hall.games()
        with pytest.raises(Unreachable):  # and says so at once from then on
            await hall.games()


@awaited
async def test_a_closed_client_leaves_nobody_waiting(tmp_path: Path) -> None:
    async with open_hall(tmp_path) as running:
        async with client(dial_into(running.sockets)) as ann:
            await ann.guest("Ann")
            table = (await ann.open("wards"))["id"]
            await ann.watch(table)
            waiting = asyncio.create_task(ann.news(table, 10))
            await asyncio.sleep(0)
        with pytest.raises(Unreachable, match="closed"):
            await waiting


@awaited
async def test_a_hall_that_says_bye_is_called_again_when_it_wants(tmp_path: Path) -> None:
    async with open_hall(tmp_path) as running:
        said: list[str] = []
        hall = client(dial_into(running.sockets))
        hall.notice = lambda message: said.extend(message)
        async with hall:
            await hall.games()
            (caller,) = running.sockets.open.values()
            caller.conn.push(b'{"bye":"In a moment.","retry_ms":40}')
            caller.conn.close(1012)
            began = asyncio.get_running_loop().time()
            await asyncio.sleep(0)
            await hall.games()
            assert said == ["bye", "retry_ms"]
            assert asyncio.get_running_loop().time() - began > 0.03
