"""What others see of a link before they open it: title, sentence and picture in the head of the page (Open Graph).

A preview says no more than a list of tables would: of a private table only that there is one (decision 077), unless its
only person has finished a game against bots there, and so is the one who sends the link. Programs that fetch previews
rarely name a language, so a link can: ``?language=de``.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dicehall.core.game import Refused
from dicehall.hall.cards import Card, Ending, Result
from dicehall.server.languages import preview_text, translated
from dicehall.server.parts import ServerParts
from dicehall.server.preview_pictures import SIZE, hidden_title, hides, sealed_line
from dicehall.wire.languages import ENGLISH
from dicehall.wire.schemas import show_game

TITLE = "<title>Dicehall</title>"
MOST_NAMED = 6  # players in a sentence


@dataclass(frozen=True, slots=True)
class Preview:
    title: str
    sentence: str
    path: str
    picture: str  # its path
    alt: str  # the picture in words


def place_previews(language: str) -> dict[str, Preview]:
    """The previews of places that are the same for everybody, by their path."""
    challenge = Preview(
        preview_text("Daily challenge", language) + " · Dicehall",
        preview_text("The same dice for everyone, one game a day in each game, ranked tomorrow.", language),
        in_language("/challenge", language),
        in_language("/challenge/preview.png", language),
        preview_text("Daily challenge: same dice for everyone", language),
    )
    home = Preview(
        "Dicehall",
        sealed_line(language),
        in_language("/", language),
        in_language("/preview.png", language),
        preview_text("Dicehall: three dice on green felt", language),
    )
    return {"/": home, "/challenge": challenge}


def in_language(path: str, language: str) -> str:
    """An address that names its language, unless it is English."""
    return path if language == ENGLISH else f"{path}{'&' if '?' in path else '?'}language={language}"


async def with_preview(index: str, parts: ServerParts, table: str, address: str, path: str, language: str) -> str:
    """The index for the link of a table; as it is where nobody knows the table, or somebody asks too often."""
    try:
        parts.limits.take("preview_address", address)
        card = await parts.hall.visible(None, table)
        ending = await parts.hall.parts.register.ending(table)
    except Refused:
        return index
    if hides(card, ending):
        ending = None
    title, sentence = told(card, ending, parts.hall.host.parts.games, language)
    picture = f"/t/{table}/preview.png" + ("" if ending is None else "?over")  # so that nobody keeps the one before
    preview = Preview(
        title, sentence, in_language(path, language), in_language(picture, language), f"{title}. {sentence}"
    )
    return with_tags(index, preview, parts.settings.public_url)


def with_tags(index: str, preview: Preview, public_url: str) -> str:
    return index.replace(TITLE, f"{TITLE}\n    {tags(preview, public_url)}", 1)


def told(card: Card, ending: Ending | None, games: Mapping[str, type[Any]], language: str) -> tuple[str, str]:
    """Title and sentence of a preview."""
    if hides(card, ending):
        return hidden_title(language), sealed_line(language)
    game = str(show_game(games[card.game], language)["name"]) if card.game in games else card.game
    if ending is None or not ending.results:
        invitation = preview_text("Watch or play along: no sign-up, and the dice are sealed.", language)
        return f"{translated(card.name, language)} · {game}", invitation
    sentence = preview_text("{game} at Dicehall. Watch the game again, and check every roll.", language, game=game)
    return result_of(ending.results, language), sentence


def result_of(results: tuple[Result, ...], language: str) -> str:
    """ "Ann beats Bo 102-85" for two, the best first for more."""
    best = sorted(results, key=lambda result: result.place)
    if len(best) == 2 and best[0].won:
        score = f"{best[0].score}-{best[1].score}"
        names = {"winner": best[0].name, "loser": best[1].name}
        return preview_text("{winner} beats {loser} {score}", language, score=score, **names)
    places = [f"{result.place}. {result.name}" for result in best[:MOST_NAMED]]
    return ", ".join([*places, "..."] if len(best) > MOST_NAMED else places)


def tags(preview: Preview, public_url: str) -> str:
    """The head's own lines; names are what people typed, so everything is escaped."""
    said = {
        "og:type": "website",
        "og:site_name": "Dicehall",
        "og:title": preview.title,
        "og:description": preview.sentence,
        "og:url": f"{public_url}{preview.path}",
        "og:image": f"{public_url}{preview.picture}",
        "og:image:type": "image/png",
        "og:image:width": str(SIZE[0]),
        "og:image:height": str(SIZE[1]),
        "og:image:alt": preview.alt,
        "twitter:card": "summary_large_image",
    }
    lines = [f'<meta property="{name}" content="{html.escape(value)}" />' for name, value in said.items()]
    return "\n    ".join(lines)
