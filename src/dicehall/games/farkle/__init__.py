"""Scoring for the games of the Farkle family: a table of rows, and everything that follows from it."""

from dicehall.games.farkle.rows import of_a_kind, three_pairs, written
from dicehall.games.farkle.table import Grouping, Positions, ScoreTable, Scoring, without

__all__ = ["Grouping", "Positions", "ScoreTable", "Scoring", "of_a_kind", "three_pairs", "without", "written"]
