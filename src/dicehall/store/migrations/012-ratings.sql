-- Ratings are a fold over the results of rated games. Each ending is folded in once; what ended before this is folded in by
-- time when a hall starts. A change keeps the number in which its game was folded in, so that all can be made anew.

ALTER TABLE endings ADD COLUMN folded INTEGER NOT NULL DEFAULT 0;

CREATE INDEX endings_unfolded ON endings (at, name) WHERE folded = 0;

CREATE TABLE ratings (
    game  TEXT NOT NULL,
    who   TEXT NOT NULL, -- an account, or bot: and a level
    mu    REAL NOT NULL,
    sigma REAL NOT NULL,
    games INTEGER NOT NULL,
    won   INTEGER NOT NULL,
    PRIMARY KEY (game, who)
) WITHOUT ROWID;

CREATE INDEX ratings_who ON ratings (who);

CREATE TABLE rating_changes (
    name         TEXT NOT NULL, -- of the table
    who          TEXT NOT NULL,
    number       INTEGER NOT NULL, -- of the game, in the order of folding in
    before_mu    REAL NOT NULL,
    before_sigma REAL NOT NULL,
    mu           REAL NOT NULL,
    sigma        REAL NOT NULL,
    PRIMARY KEY (name, who)
) WITHOUT ROWID;

CREATE INDEX rating_changes_number ON rating_changes (number);
