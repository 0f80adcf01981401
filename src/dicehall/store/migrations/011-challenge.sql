-- The daily challenge. A day has one secret; it goes from here where the day is void. An attempt is a table with a day on
-- its card: an account has one for each game and day.

CREATE TABLE challenge_days (
    day    TEXT PRIMARY KEY, -- 2026-11-17
    seal   TEXT NOT NULL,
    secret BLOB
);

ALTER TABLE cards ADD COLUMN challenge TEXT;

CREATE UNIQUE INDEX cards_challenge ON cards (challenge, game, opener) WHERE challenge IS NOT NULL;

-- What the decisions of an attempt cost on average, once somebody has judged them; null where nobody can.

CREATE TABLE challenge_losses (
    name         TEXT PRIMARY KEY, -- of the table
    average_loss REAL,
    decisions    INTEGER NOT NULL
);
