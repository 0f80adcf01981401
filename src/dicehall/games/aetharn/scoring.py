"""What dice are worth in Aetharn, and how the seed names it (A2, A3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dicehall.core.game import Faces
from dicehall.games.farkle import Grouping, Positions, ScoreTable, of_a_kind, three_pairs, written

OF_A_KIND = {  # three, four, five, six of a face
    1: (1000, 2000, 4000, 8000),
    2: (200, 400, 800, 1600),
    3: (300, 600, 1200, 2400),
    4: (400, 800, 1600, 3200),
    5: (500, 1000, 2000, 4000),
    6: (600, 1200, 2400, 4800),
}

TABLE = ScoreTable.of(written({"1": 100, "5": 50, "123456": 1500}), of_a_kind(OF_A_KIND), three_pairs(1500))


class ScoringType(StrEnum):
    NONE = "None"
    SINGLES = "Singles"
    THREE_OF_A_KIND = "ThreeOfAKind"
    FOUR_OF_A_KIND = "FourOfAKind"
    FIVE_OF_A_KIND = "FiveOfAKind"
    SIX_OF_A_KIND = "SixOfAKind"
    STRAIGHT = "Straight"
    THREE_PAIRS = "ThreePairs"


BY_LARGEST_GROUP = {
    0: ScoringType.NONE,
    1: ScoringType.SINGLES,
    2: ScoringType.SINGLES,
    3: ScoringType.THREE_OF_A_KIND,
    4: ScoringType.FOUR_OF_A_KIND,
    5: ScoringType.FIVE_OF_A_KIND,
    6: ScoringType.SIX_OF_A_KIND,
}


@dataclass(frozen=True, slots=True)
class ScoringResult:
    points: int
    scoring_dice: Positions
    non_scoring_dice: Positions
    type: ScoringType
    is_bust: bool
    is_hot_dice: bool  # as in the seed: each die of this roll scores


def result_of(table: ScoreTable, roll: Faces) -> ScoringResult:
    """The highest reading of a roll."""
    points, scoring, rest, grouping = table.scoring[roll]
    return ScoringResult(points, scoring, rest, type_of(grouping), is_bust=not points, is_hot_dice=not rest)


def type_of(grouping: Grouping) -> ScoringType:
    largest = max(grouping, key=len, default=())
    faces = len(set(largest))
    if faces > 1:  # only a straight and three pairs mix faces in one row
        return ScoringType.STRAIGHT if faces == len(largest) else ScoringType.THREE_PAIRS
    return BY_LARGEST_GROUP[len(largest)]
