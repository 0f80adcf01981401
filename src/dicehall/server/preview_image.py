"""Draws the picture of a link's preview. Names are what people typed: they are drawn as text, cut, and nothing else.

The one font that comes along has Latin, Greek and Cyrillic letters and some more. A name in a script that it lacks, or
that is written from right to left, is replaced by what stands for it; symbols that it lacks are left out.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from dicehall.server.preview_pictures import MOST_ROWS, SIZE, Picture

WIDTH, HEIGHT = SIZE
FONT = Path(__file__).parent / "fonts" / "DejaVuSerifCondensed-Bold.ttf"
FELT, FELT_EDGE, FRAME, GOLD, PAPER, SOFT = "#1f5a45", "#0c2a20", "#8a6130", "#f0c871", "#fbf4e2", "#bfd3c6"
IVORY, INK = "#f7f0e1", "#12352b"
LEFT, RIGHT = 84, WIDTH - 84
SCORES = 860  # where scores end
LINE = 50  # between two rows
LONGEST = 80  # characters of a text that are looked at
MOST_DICE = 6
LEANS = (-9, 7, -4, 10, -7, 5)  # degrees by which dice lie turned on the table
SHARP = 3  # dice are drawn this much larger and then made smaller, so that their edges are smooth
LEFT_OF_DIE = {1: "", 2: "a", 3: "a", 4: "ab", 5: "ab", 6: "abc"}  # pips that have a twin opposite
PIPS = {"a": (-1, -1), "b": (-1, 1), "c": (-1, 0)}


def draw(picture: Picture) -> bytes:
    """A picture as PNG."""
    image = felt().copy()
    on = ImageDraw.Draw(image)
    write(on, (LEFT, 88), picture.eyebrow, 34, SOFT, RIGHT - LEFT - 210)
    write(on, (RIGHT, 88), "Dicehall", 34, GOLD, 200, anchor="rs")
    write(on, (LEFT, 178), readable(picture.title, picture.instead), 70, GOLD, RIGHT - LEFT)
    write(on, (LEFT, 238), picture.note, 34, SOFT, RIGHT - LEFT)
    draw_rows(on, picture, top=306)
    draw_dice(image, picture.dice[:MOST_DICE], len(picture.rows))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@cache
def felt() -> Image.Image:
    """The cloth, lighter in the middle, with a wooden edge."""
    glow = Image.radial_gradient("L").resize(SIZE)
    image = Image.composite(Image.new("RGB", SIZE, FELT_EDGE), Image.new("RGB", SIZE, FELT), glow)
    ImageDraw.Draw(image).rectangle((0, 0, WIDTH - 1, HEIGHT - 1), outline=FRAME, width=22)
    return image


def draw_rows(on: ImageDraw.ImageDraw, picture: Picture, top: int) -> None:
    """Names and scores; only the first few if there are too many players."""
    shown = picture.rows if len(picture.rows) <= MOST_ROWS else picture.rows[: MOST_ROWS - 1]
    for i, row in enumerate(shown):
        y = top + i * LINE
        write(on, (LEFT, y), readable(row.name, row.instead), 40, PAPER, SCORES - LEFT - 160)
        write(on, (SCORES, y), row.score, 40, GOLD, 140, anchor="rs")
    if len(shown) < len(picture.rows):
        write(on, (LEFT, top + len(shown) * LINE), picture.more, 34, SOFT, 300)


# -- text ---------------------------------------------------------------------------------------------------


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size, layout_engine=ImageFont.Layout.BASIC)


def write(
    on: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    size: int,
    colour: str,
    most: int,
    anchor: str = "ls",
) -> None:
    """One line of text: smaller where it is too wide, and cut where that does not help."""
    text, size = fitted(text, size, most)
    on.text(at, text, fill=colour, font=font(size), anchor=anchor)


def fitted(text: str, size: int, most: int) -> tuple[str, int]:
    """A text that is at most so many pixels wide, and in which size."""
    text = text[:LONGEST]
    for smaller in range(size, size * 2 // 3, -4):
        if font(smaller).getlength(text) <= most:
            return text, smaller
    while text and font(smaller).getlength(f"{text}…") > most:
        text = text[:-1]
    return f"{text.rstrip()}…", smaller


def readable(text: str, instead: str) -> str:
    """What of a text can be drawn; *instead* where that is not what somebody wrote."""
    drawn = "".join(char for char in text if is_drawable(char))
    letters = [char for char in text if unicodedata.category(char)[0] in "LM"]
    whole = all(is_drawable(char) for char in letters)
    return " ".join(drawn.split()) if whole and drawn.strip() else instead


@cache
def no_glyph() -> bytes:
    return bytes(font(24).getmask("\uffff"))


def is_drawable(char: str) -> bool:
    """Whether the font has it, and it stands where it is written: no accents on their own, none from right to left."""
    if char == " ":
        return True
    if unicodedata.category(char)[0] in "CMZ" or unicodedata.bidirectional(char) in ("R", "AL", "AN"):
        return False
    return bytes(font(24).getmask(char)) != no_glyph()


# -- dice ---------------------------------------------------------------------------------------------------


def draw_dice(image: Image.Image, dice: Sequence[int], rows: int) -> None:
    """One large die beside the names, or a row of dice below them."""
    side = 190 if len(dice) == 1 or rows == 0 else 132 if rows <= 2 else 92
    if len(dice) == 1:
        x, y = RIGHT - side, 300
    else:
        x, y = LEFT, HEIGHT - 56 - side
    for i, face in enumerate(dice):
        centre = x + side // 2 + i * side * 4 // 3, y + side // 2
        paste_die(image, face, side, centre, LEANS[i])


def paste_die(image: Image.Image, face: int, side: int, centre: tuple[int, int], lean: int) -> None:
    die = die_of(face, side).rotate(lean, Image.Resampling.BICUBIC, expand=True)
    at = centre[0] - die.width // 2, centre[1] - die.height // 2
    shadow = die.getchannel("A").filter(ImageFilter.GaussianBlur(8)).point(lambda alpha: alpha // 2)
    image.paste(Image.new("RGB", die.size, "#04110c"), (at[0] + 6, at[1] + 10), shadow)
    image.paste(die, at, die)


def die_of(face: int, side: int) -> Image.Image:
    """One die from above, with some room around it for its shadow."""
    full, room = side * SHARP, 16 * SHARP
    image = Image.new("RGBA", (full + 2 * room, full + 2 * room))
    on = ImageDraw.Draw(image)
    on.rounded_rectangle((room, room, room + full, room + full), full // 5, fill=IVORY)
    for x, y in pips(face):
        centre, radius = (room + full / 2 + x * full * 0.26, room + full / 2 + y * full * 0.26), full * 0.095
        on.circle(centre, radius, fill=INK)
    small = (side + 2 * room // SHARP,) * 2
    return image.resize(small, Image.Resampling.LANCZOS)


def pips(face: int) -> list[tuple[int, int]]:
    """Where the pips of a face are, counted from its middle."""
    twins = [PIPS[name] for name in LEFT_OF_DIE[face]]
    return [*twins, *((-x, -y) for x, y in twins), *([(0, 0)] if face % 2 else [])]
