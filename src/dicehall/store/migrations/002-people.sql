-- Accounts, their ways in, and their sessions. Of passwords and tokens only hashes are kept.

CREATE TABLE accounts (
    id       TEXT PRIMARY KEY, -- a principal
    name     TEXT NOT NULL,
    folded   TEXT NOT NULL UNIQUE, -- the name as it is typed to sign in
    avatar   TEXT NOT NULL,
    guest    INTEGER NOT NULL,
    created  INTEGER NOT NULL,
    password TEXT -- argon2
);

-- What a name looks like. Of two that race for names that look alike, the one that comes second finds its row here.
CREATE TABLE skeletons (
    skeleton TEXT PRIMARY KEY,
    account  TEXT NOT NULL
) WITHOUT ROWID;

CREATE INDEX skeletons_account ON skeletons (account);

CREATE TABLE keys (
    key     BLOB PRIMARY KEY, -- DER
    account TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE challenges (
    challenge TEXT PRIMARY KEY,
    key       BLOB NOT NULL,
    expires   INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX challenges_expiry ON challenges (expires);

CREATE TABLE sessions (
    digest  BLOB PRIMARY KEY, -- SHA-256 of the token
    account TEXT NOT NULL,
    expires INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX sessions_account ON sessions (account);
CREATE INDEX sessions_expiry ON sessions (expires);
