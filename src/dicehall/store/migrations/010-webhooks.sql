-- Where the result of a table is sent when it ends. A row waits, without a time, until then; the transaction that ends the
-- game makes it due.

CREATE TABLE webhooks (
    name    TEXT PRIMARY KEY, -- of the table
    url     TEXT NOT NULL,
    secret  TEXT NOT NULL, -- empty once it is delivered or given up
    state   TEXT NOT NULL,
    due     INTEGER,
    tries   INTEGER NOT NULL,
    problem TEXT
);

CREATE INDEX webhooks_due ON webhooks (due) WHERE due IS NOT NULL;
