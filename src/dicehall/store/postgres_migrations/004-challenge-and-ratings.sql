-- The daily challenge and ratings: what they mean is said in the migrations of SQLite (011, 012).

CREATE TABLE challenge_days (
    day    TEXT COLLATE "C" PRIMARY KEY,
    seal   TEXT NOT NULL,
    secret BYTEA
);

ALTER TABLE cards ADD COLUMN challenge TEXT COLLATE "C";

CREATE UNIQUE INDEX cards_challenge ON cards (challenge, game, opener) WHERE challenge IS NOT NULL;

CREATE TABLE challenge_losses (
    name         TEXT COLLATE "C" PRIMARY KEY,
    average_loss DOUBLE PRECISION,
    decisions    BIGINT NOT NULL
);

ALTER TABLE endings ADD COLUMN folded BOOLEAN NOT NULL DEFAULT false;

CREATE INDEX endings_unfolded ON endings (at, name) WHERE NOT folded;

CREATE TABLE ratings (
    game  TEXT COLLATE "C" NOT NULL,
    who   TEXT COLLATE "C" NOT NULL,
    mu    DOUBLE PRECISION NOT NULL,
    sigma DOUBLE PRECISION NOT NULL,
    games BIGINT NOT NULL,
    won   BIGINT NOT NULL,
    PRIMARY KEY (game, who)
);

CREATE INDEX ratings_who ON ratings (who);

CREATE TABLE rating_changes (
    name         TEXT COLLATE "C" NOT NULL,
    who          TEXT COLLATE "C" NOT NULL,
    number       BIGINT NOT NULL,
    before_mu    DOUBLE PRECISION NOT NULL,
    before_sigma DOUBLE PRECISION NOT NULL,
    mu           DOUBLE PRECISION NOT NULL,
    sigma        DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (name, who)
);

CREATE INDEX rating_changes_number ON rating_changes (number);
