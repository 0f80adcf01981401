"""Pictures in SVG: panels of bars with axes, labels and error bars, side by side under one title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 460, 340  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 74, 16, 46, 84  # room around its bars
TITLE = 44  # room above all panels
INK, PALE, FILL, WHISKER = "#1f2933", "#d5dbe1", "#2f7f86", "#b3541e"
ROOM = 1.08  # the axis goes a little beyond the highest bar
NARROW = 9  # more bars than this have their labels slanted
LABELS = 24  # at most so many labels along an axis


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    value: float
    whisker: tuple[float, float] | None = None  # its lower and upper end
    told: str = ""  # written above the bar

    @property
    def top(self) -> float:
        return self.whisker[1] if self.whisker else self.value


@dataclass(frozen=True, slots=True)
class Panel:
    title: str
    across: str  # what the labels are
    up: str  # what the heights are
    bars: Sequence[Bar]
    least: float = 0.0  # where the axis begins
    mark: float | None = None  # a dashed line, such as a fair share


def picture(title: str, panels: Sequence[Panel]) -> str:
    wide, high = WIDTH * len(panels), TITLE + HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
        f' font-family="system-ui, sans-serif" font-size="12" fill="{INK}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{wide}" height="{high}" fill="#ffffff"/>',
        text(wide / 2, 28, title, size=17, weight="bold"),
    ]
    for number, panel in enumerate(panels):
        parts += [f'<g transform="translate({number * WIDTH} {TITLE})">', *drawn(panel), "</g>"]
    return "\n".join([*parts, "</svg>", ""])


def drawn(panel: Panel) -> list[str]:
    axis = Axis.over(panel)
    floor_at = HEIGHT - BOTTOM
    return [
        text(LEFT + (WIDTH - LEFT - RIGHT) / 2, 22, panel.title, size=14, weight="bold"),
        *axis.lines(),
        *(part for nth, bar in enumerate(panel.bars) for part in column(panel, axis, nth, bar)),
        *([] if panel.mark is None else [line(LEFT, axis.at(panel.mark), WIDTH - RIGHT, None, WHISKER, dashed=True)]),
        line(LEFT, floor_at, WIDTH - RIGHT, None, INK),
        line(LEFT, TOP, None, floor_at, INK),
        text(LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 10, panel.across),
        text(0, 0, panel.up, place=f"translate(18 {(TOP + floor_at) / 2}) rotate(-90)"),
    ]


@dataclass(frozen=True, slots=True)
class Axis:
    """The heights: where they begin and end, and the step between the lines across."""

    least: float
    most: float
    step: float

    @classmethod
    def over(cls, panel: Panel) -> Axis:
        tops = [bar.top for bar in panel.bars]
        most = max([*tops, panel.mark or panel.least, panel.least])
        span = (most - panel.least) * ROOM or 1.0
        step = nice(span / 5)
        return cls(panel.least, panel.least + ceil(span / step) * step, step)

    def at(self, value: float) -> float:
        share = (min(max(value, self.least), self.most) - self.least) / (self.most - self.least)
        return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)

    def lines(self) -> list[str]:
        digits = max(0, -floor(log10(self.step)))
        values = [self.least + n * self.step for n in range(round((self.most - self.least) / self.step) + 1)]
        across = [line(LEFT, self.at(value), WIDTH - RIGHT, None, PALE) for value in values]
        return across + [text(LEFT - 6, self.at(v) + 4, f"{v:.{digits}f}", anchor="end") for v in values]


def nice(step: float) -> float:
    """The next step that people count in: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10(step))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= step * 0.999)


def column(panel: Panel, axis: Axis, nth: int, bar: Bar) -> list[str]:
    """A bar with its label below, what is told above it, and its whisker."""
    room = (WIDTH - LEFT - RIGHT) / len(panel.bars)
    middle, half = LEFT + (nth + 0.5) * room, min(room * 0.36, 32)
    top, floor_at = axis.at(bar.value), HEIGHT - BOTTOM
    box = f'x="{middle - half:.1f}" y="{top:.1f}" width="{2 * half:.1f}" height="{floor_at - top:.1f}"'
    parts = [f'<rect {box} fill="{FILL}"/>']
    if nth % ceil(len(panel.bars) / LABELS) == 0:
        parts.append(label(middle, floor_at + 16, bar.label, slanted=slanted(panel, room)))
    if bar.whisker:
        low, high = map(axis.at, bar.whisker)
        parts += [line(middle, high, None, low, WHISKER)]
        parts += [line(middle - 4, y, middle + 4, None, WHISKER) for y in (low, high)]
    if bar.told:
        parts.append(text(middle, axis.at(bar.top) - 5, bar.told, size=11))
    return parts


def slanted(panel: Panel, room: float) -> bool:
    return len(panel.bars) > NARROW or max(len(bar.label) for bar in panel.bars) * 7 > room


def label(x: float, y: float, words: str, *, slanted: bool) -> str:
    if slanted:
        return text(0, 0, words, anchor="end", place=f"translate({x + 4:.1f} {y - 4:.1f}) rotate(-35)", size=11)
    return text(x, y, words)


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: int = 12,
    weight: str = "normal",
    anchor: str = "middle",
    place: str = "",
) -> str:
    where = f'transform="{place}"' if place else f'x="{x:.1f}" y="{y:.1f}"'
    return f'<text {where} font-size="{size}" font-weight="{weight}" text-anchor="{anchor}">{escape(words)}</text>'


def line(x: float, y: float, to_x: float | None, to_y: float | None, colour: str, *, dashed: bool = False) -> str:
    """From a point across to *to_x*, or down to *to_y*."""
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{x if to_x is None else to_x:.1f}" y2="{y if to_y is None else to_y:.1f}"'
    return f'<line {ends} stroke="{colour}"{" stroke-dasharray=" + chr(34) + "5 4" + chr(34) if dashed else ""}/>'
