-- What the hall writes down of its tables, in the transaction of the act it belongs to. Everything counted is counted from here.

CREATE TABLE cards (
    name      TEXT PRIMARY KEY, -- of the table
    game      TEXT NOT NULL,
    title     TEXT NOT NULL,
    opener    TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    id        TEXT,
    public    INTEGER NOT NULL,
    password  TEXT,
    before    TEXT UNIQUE -- one rematch for a table
);

CREATE UNIQUE INDEX cards_id ON cards (opener, id) WHERE id IS NOT NULL;
CREATE INDEX cards_newest ON cards (opened_at);

CREATE TABLE endings (
    name   TEXT PRIMARY KEY, -- of the table
    game   TEXT NOT NULL,
    at     INTEGER NOT NULL,
    reason TEXT NOT NULL,
    rounds INTEGER
);

CREATE INDEX endings_latest ON endings (at);

CREATE TABLE results (
    name    TEXT NOT NULL, -- of the table
    seat    INTEGER NOT NULL,
    game    TEXT NOT NULL,
    player  TEXT NOT NULL, -- as they were called then
    account TEXT,
    bot     TEXT,
    place   INTEGER NOT NULL,
    won     INTEGER NOT NULL,
    score   INTEGER NOT NULL,
    PRIMARY KEY (name, seat)
) WITHOUT ROWID;

CREATE INDEX results_account ON results (account, game) WHERE account IS NOT NULL;
