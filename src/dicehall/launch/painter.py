"""Pictures for previews of links: drawn in a process of their own, because names in them are typed by strangers."""

from __future__ import annotations

from dataclasses import dataclass, field

from dicehall.launch.worker import Worker
from dicehall.server.preview_pictures import Picture

SECONDS = 10.0  # that one picture may take
MOST_WAITING = 16  # pictures
MOST_EACH = 4  # for one address


@dataclass(frozen=True, slots=True)
class Painter:
    worker: Worker = field(default_factory=lambda: Worker(SECONDS, MOST_WAITING, MOST_EACH))

    async def draw(self, address: str, picture: Picture) -> bytes:
        return await self.worker.run(draw, picture, who=address)

    def close(self) -> None:
        self.worker.close()


def draw(picture: Picture) -> bytes:
    """Pillow is imported only in the worker process."""
    from dicehall.server import preview_image

    return preview_image.draw(picture)
