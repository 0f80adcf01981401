-- Where the result of a table is sent when it ends: the same as migration 010 of SQLite.

CREATE TABLE webhooks (
    name    TEXT COLLATE "C" PRIMARY KEY,
    url     TEXT NOT NULL,
    secret  TEXT NOT NULL,
    state   TEXT NOT NULL,
    due     BIGINT,
    tries   BIGINT NOT NULL,
    problem TEXT
);

CREATE INDEX webhooks_due ON webhooks (due) WHERE due IS NOT NULL;
