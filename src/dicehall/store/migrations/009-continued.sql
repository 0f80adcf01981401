-- A game that was played on from a position of another one names it, and counts in no statistics.

ALTER TABLE cards ADD COLUMN origin TEXT;
CREATE INDEX cards_origin ON cards (origin) WHERE origin IS NOT NULL;

ALTER TABLE results ADD COLUMN continued INTEGER NOT NULL DEFAULT 0;

DROP INDEX results_game;
CREATE INDEX results_game ON results (game, account, bot, rated, won, score, continued);
