-- A game that was played on from a position of another one names it, and counts in no statistics.

ALTER TABLE cards ADD COLUMN origin TEXT COLLATE "C";
CREATE INDEX cards_origin ON cards (origin) WHERE origin IS NOT NULL;

ALTER TABLE results ADD COLUMN continued BOOLEAN NOT NULL DEFAULT false;

DROP INDEX results_game;
CREATE INDEX results_game ON results (game, account, bot, rated, won, score, continued);
