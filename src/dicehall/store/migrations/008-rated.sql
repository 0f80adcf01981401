-- Whether a game counts in statistics and leaderboards. All that ended before this did.

ALTER TABLE results ADD COLUMN rated INTEGER NOT NULL DEFAULT 1;

DROP INDEX results_game;
CREATE INDEX results_game ON results (game, account, bot, rated, won, score);
