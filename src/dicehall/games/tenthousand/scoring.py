"""What dice are worth in Dice 10 000: the seed's table, row by row (T2)."""

from __future__ import annotations

from dicehall.games.farkle import ScoreTable, written

TABLE = ScoreTable.of(
    written(
        {
            "1": 100,
            "11": 200,
            "111": 1000,
            "1111": 2000,
            "11111": 4000,
            "111111": 8000,
            "222": 200,
            "2222": 400,
            "22222": 800,
            "222222": 1600,
            "333": 300,
            "3333": 600,
            "33333": 1200,
            "333333": 2400,
            "444": 400,
            "4444": 800,
            "44444": 1800,  # not twice four of them: as written
            "444444": 3600,
            "5": 50,
            "55": 100,
            "555": 500,
            "5555": 1000,
            "55555": 2000,
            "555555": 4000,
            "666": 600,
            "6666": 1200,
            "66666": 2400,
            "666666": 4800,
        }
    )
)
