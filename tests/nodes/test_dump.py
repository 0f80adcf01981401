"""Backup and restore as docs/hosting.md says it: pg_dump while the hall runs, and a row that marks the copy."""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from dicehall.client.hall import HallClient
from dicehall.games import catalogue
from dicehall.launch.in_process import in_process
from dicehall.launch.serving import put_together
from dicehall.server.parts import Settings
from dicehall.store.postgres import open_postgres
from tests.launch.running import ROOT
from tests.postgres import command, new_database, server
from tools.postgres import reachable_programs

WAIT_S = 120


@asynccontextmanager
async def client_of(url: str) -> AsyncIterator[HallClient]:
    async with AsyncExitStack() as stack:
        hall = put_together(await open_postgres(url), catalogue(), Settings())
        await hall.start()
        stack.push_async_callback(hall.stop)
        yield await stack.enter_async_context(in_process(hall.sockets))


def documented_mark() -> str:
    """The statement in the docs, word for word."""
    (sql,) = re.findall(r'psql restored -c "(INSERT .*)"', (ROOT / "docs/hosting.md").read_text(encoding="utf-8"))
    return str(sql)


@pytest.mark.proof
def test_a_restored_dump_knows_all_tables_and_closes_those_that_were_not_over(tmp_path: Path) -> None:
    programs = reachable_programs(tmp_path)
    dump = tmp_path / "monday.dump"

    async def story() -> None:
        url = new_database()
        async with client_of(url) as ann:
            await ann.guest("Ann")
            table = (await ann.open("wards", bots=[{"seat": 1, "level": "random"}]))["id"]
            await ann.sit(table)
            before = await ann.look(table)
            await tool(programs / "pg_dump", "--format=custom", f"--file={dump}", url)
            assert not before["over"]
        await command(server().url(), "CREATE DATABASE restored")
        restored = server().url("restored")
        await tool(programs / "pg_restore", "--exit-on-error", f"--dbname={restored}", str(dump))
        await command(restored, documented_mark())
        async with client_of(restored) as stranger:
            after = await stranger.look(table)
            assert (after["phase"], after["game"]) == ("abandoned", before["game"])

    asyncio.run(asyncio.wait_for(story(), WAIT_S))


def test_of_several_nodes_that_start_at_once_on_a_copy_one_closes_its_tables() -> None:
    async def story() -> None:
        url = new_database()
        async with client_of(url) as ann:
            await ann.guest("Ann")
            tables = [(await ann.open("wards"))["id"] for _ in range(5)]
        await command(url, documented_mark())
        running = [put_together(await open_postgres(url), catalogue(), Settings()) for _ in range(3)]
        try:
            await asyncio.gather(*(hall.start() for hall in running))
            assert await running[0].journal.copied_at() is None
            for table in tables:
                acts = await running[0].journal.rows(table)
                assert [b"destroyed" in row.act for row in acts] == [False, True]
        finally:
            for hall in running:
                await hall.stop()

    asyncio.run(asyncio.wait_for(story(), WAIT_S))


async def tool(program: Path, *words: str) -> None:
    await asyncio.to_thread(subprocess.run, [str(program), *words], check=True, timeout=WAIT_S)
