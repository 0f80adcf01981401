-- Acts are appended at the end of their table and found through small indexes: a group of commits then writes few pages.
-- Clustered by table (WITHOUT ROWID), every act of a group would write a page of its own.

CREATE TABLE heads (
    key      INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    seq      INTEGER NOT NULL,
    deadline INTEGER,
    status   TEXT NOT NULL
);

CREATE TABLE acts (
    key     INTEGER NOT NULL, -- of heads
    seq     INTEGER NOT NULL,
    act     BLOB NOT NULL,
    at      INTEGER NOT NULL,
    account TEXT,
    id      TEXT,
    UNIQUE (key, seq)
);

-- An id without an account is an id all the same; acts without an id never collide.
CREATE UNIQUE INDEX acts_id ON acts (key, ifnull(account, ''), id) WHERE id IS NOT NULL;

-- Apart from the acts, so that who may read a story reads no secret with it.
CREATE TABLE secrets (
    key    INTEGER PRIMARY KEY, -- of heads
    secret BLOB NOT NULL
);

-- A finished table: its record is all that is left of it.
CREATE TABLE archive (
    name   TEXT NOT NULL UNIQUE,
    record BLOB NOT NULL
);

CREATE TABLE pulses (
    process TEXT PRIMARY KEY,
    at      INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE outages (
    since INTEGER NOT NULL,
    till  INTEGER NOT NULL,
    PRIMARY KEY (since, till)
) WITHOUT ROWID;
