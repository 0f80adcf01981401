"""The world of the demo: it notices a browser that is gone without a word."""

from __future__ import annotations

from dicehall.launch import venue_world
from dicehall.launch.venue_world import GONE_S, Person
from dicehall.venue.sample import tavern
from tests.venue.world import World, in_a_world


@in_a_world()
async def test_a_page_that_stops_asking_leaves_the_world_and_one_that_asks_stays(world: World) -> None:
    time = [0.0]
    demo = venue_world.World(world.bridge, tavern(), now=lambda: time[0])
    ann, bo = Person("visitor/ann", "Ann"), Person("visitor/bo", "Bo")
    for person, chair in zip((ann, bo), world.oak, strict=False):
        demo.hear(person.key)
        await demo.post(person, "chair_used", payload={"area": "griffin", "object": chair})
    time[0] = GONE_S
    demo.hear(bo.key)
    time[0] = GONE_S + 1
    await demo.sweep()
    assert list(demo.seated.values()) == [bo]
