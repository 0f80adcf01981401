-- Everything a hall stores: the same as migrations 001 to 008 of SQLite, for several processes at once. Ids sort by
-- their bytes, because all processes must take rows in the same order.

CREATE TABLE heads (
    name     TEXT COLLATE "C" PRIMARY KEY,
    seq      BIGINT NOT NULL,
    deadline BIGINT, -- without an index: it changes with every act, and heads are few
    status   TEXT NOT NULL,
    attended BOOLEAN NOT NULL,
    at       BIGINT NOT NULL, -- of the last act
    carriers TEXT NOT NULL, -- processes whose connections carry seats, with spaces between them
    swept    BIGINT NOT NULL DEFAULT 0 -- when a process last took it upon itself to do what is overdue here
) WITH (fillfactor = 60);

CREATE TABLE acts (
    name    TEXT COLLATE "C" NOT NULL, -- of the table
    seq     BIGINT NOT NULL,
    act     BYTEA NOT NULL,
    at      BIGINT NOT NULL,
    account TEXT COLLATE "C",
    id      TEXT COLLATE "C",
    PRIMARY KEY (name, seq)
);

-- An id without an account is an id all the same; acts without an id never collide.
CREATE UNIQUE INDEX acts_id ON acts (name, coalesce(account, ''), id) WHERE id IS NOT NULL;

CREATE TABLE secrets (
    name   TEXT COLLATE "C" PRIMARY KEY,
    secret BYTEA NOT NULL
);

CREATE TABLE archive (
    name   TEXT COLLATE "C" PRIMARY KEY,
    record BYTEA NOT NULL,
    acts   BYTEA
);

CREATE TABLE pulses (
    process TEXT COLLATE "C" PRIMARY KEY,
    at      BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE outages (
    process TEXT COLLATE "C" NOT NULL, -- '' where the whole hall was out
    since   BIGINT NOT NULL,
    till    BIGINT NOT NULL,
    PRIMARY KEY (process, since, till)
);

-- A row here marks a copy of the hall: its unfinished tables are closed when it is opened (see docs/hosting.md).
CREATE TABLE copied (
    at BIGINT NOT NULL
);

CREATE TABLE accounts (
    id       TEXT COLLATE "C" PRIMARY KEY,
    name     TEXT NOT NULL,
    folded   TEXT COLLATE "C" NOT NULL UNIQUE,
    avatar   TEXT NOT NULL,
    guest    BOOLEAN NOT NULL,
    created  BIGINT NOT NULL,
    password TEXT
);

CREATE TABLE skeletons (
    skeleton TEXT COLLATE "C" PRIMARY KEY,
    account  TEXT COLLATE "C" NOT NULL
);

CREATE INDEX skeletons_account ON skeletons (account);

CREATE TABLE keys (
    key     BYTEA PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL
);

CREATE INDEX keys_account ON keys (account);

CREATE TABLE challenges (
    challenge TEXT COLLATE "C" PRIMARY KEY,
    key       BYTEA NOT NULL,
    expires   BIGINT NOT NULL
);

CREATE INDEX challenges_expiry ON challenges (expires);

CREATE TABLE sessions (
    digest  BYTEA PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL,
    expires BIGINT NOT NULL
);

CREATE INDEX sessions_account ON sessions (account);
CREATE INDEX sessions_expiry ON sessions (expires);

CREATE TABLE used_events (
    id      BYTEA PRIMARY KEY,
    expires BIGINT NOT NULL
);

CREATE INDEX used_events_expiry ON used_events (expires);

CREATE TABLE cards (
    name      TEXT COLLATE "C" PRIMARY KEY,
    game      TEXT COLLATE "C" NOT NULL,
    title     TEXT NOT NULL,
    opener    TEXT COLLATE "C" NOT NULL,
    opened_at BIGINT NOT NULL,
    id        TEXT COLLATE "C",
    public    BOOLEAN NOT NULL,
    password  TEXT,
    before    TEXT COLLATE "C" UNIQUE
);

CREATE UNIQUE INDEX cards_id ON cards (opener, id) WHERE id IS NOT NULL;
CREATE INDEX cards_newest ON cards (opened_at DESC, name);

CREATE TABLE endings (
    name   TEXT COLLATE "C" PRIMARY KEY,
    game   TEXT COLLATE "C" NOT NULL,
    at     BIGINT NOT NULL,
    reason TEXT NOT NULL,
    rounds BIGINT
);

CREATE INDEX endings_latest ON endings (at DESC, name);

CREATE TABLE results (
    name    TEXT COLLATE "C" NOT NULL,
    seat    BIGINT NOT NULL,
    game    TEXT COLLATE "C" NOT NULL,
    player  TEXT NOT NULL,
    account TEXT COLLATE "C",
    bot     TEXT COLLATE "C",
    place   BIGINT NOT NULL,
    won     BOOLEAN NOT NULL,
    score   BIGINT NOT NULL,
    rated   BOOLEAN NOT NULL,
    PRIMARY KEY (name, seat)
);

CREATE INDEX results_account ON results (account, game) WHERE account IS NOT NULL;
CREATE INDEX results_game ON results (game, account, bot, rated, won, score);

CREATE TABLE sitters (
    account TEXT COLLATE "C" NOT NULL,
    name    TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account, name)
);

CREATE INDEX sitters_name ON sitters (name);

-- One act for each of several tables. Rows go in sorted by table: unsorted, two processes that write to the same tables
-- wait for each other for ever. An act whose number or id is taken, or whose number is not the next, is left out.
-- Returned are the tables whose act is stored; other processes are told where those stand now.

CREATE FUNCTION store_acts(
    all_names TEXT[], all_seqs BIGINT[], all_acts BYTEA[], all_ats BIGINT[], all_accounts TEXT[], all_ids TEXT[], all_deadlines BIGINT[],
    all_statuses TEXT[], all_attended BOOLEAN[], all_carriers TEXT[], all_secrets BYTEA[], sender TEXT, all_notices INT[]
) RETURNS TEXT[] LANGUAGE plpgsql AS $$
DECLARE
    stored TEXT[];
    moved BIGINT;
    begun BIGINT;
BEGIN
    WITH asked AS (
        SELECT * FROM unnest(all_names, all_seqs, all_acts, all_ats, all_accounts, all_ids) AS asked (name, seq, act, at, account, id)
    ), new AS (
        INSERT INTO acts SELECT asked.* FROM asked WHERE CASE WHEN asked.seq = 1
            THEN NOT EXISTS (SELECT FROM archive WHERE archive.name = asked.name)
            ELSE EXISTS (SELECT FROM acts AS before WHERE before.name = asked.name AND before.seq = asked.seq - 1)
        END ORDER BY asked.name COLLATE "C" ON CONFLICT DO NOTHING RETURNING acts.name
    )
    SELECT array_agg(new.name) INTO stored FROM new;
    IF stored IS NULL THEN
        RETURN '{}';
    END IF;
    INSERT INTO heads (name, seq, deadline, status, attended, at, carriers)
        SELECT asked.* FROM unnest(all_names, all_seqs, all_deadlines, all_statuses, all_attended, all_ats, all_carriers)
            AS asked (name, seq, deadline, status, attended, at, carriers) JOIN unnest(stored) AS done (name) USING (name)
        WHERE asked.seq = 1;
    GET DIAGNOSTICS begun = ROW_COUNT;
    UPDATE heads SET seq = asked.seq, deadline = asked.deadline, status = asked.status, attended = asked.attended,
            at = asked.at, carriers = asked.carriers
        FROM unnest(all_names, all_seqs, all_deadlines, all_statuses, all_attended, all_ats, all_carriers)
            AS asked (name, seq, deadline, status, attended, at, carriers) JOIN unnest(stored) AS done (name) USING (name)
        WHERE heads.name = asked.name AND heads.seq = asked.seq - 1;
    GET DIAGNOSTICS moved = ROW_COUNT;
    IF begun + moved <> cardinality(stored) THEN
        RAISE EXCEPTION 'a table was archived meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
    INSERT INTO secrets SELECT asked.* FROM unnest(all_names, all_secrets) AS asked (name, secret)
        JOIN unnest(stored) AS done (name) USING (name) WHERE asked.secret IS NOT NULL
        ON CONFLICT (name) DO UPDATE SET secret = excluded.secret;
    PERFORM pg_notify('dicehall', json_build_object('from', sender, 'at', json_object_agg(asked.name, asked.seq))::text)
        FROM unnest(all_names, all_seqs, all_notices) AS asked (name, seq, notice) JOIN unnest(stored) AS done (name) USING (name)
        WHERE asked.notice >= 0 GROUP BY asked.notice;
    RETURN stored;
END $$;
