-- An archived table answers as it did before: all of its acts, packed. Null for those archived before this.

ALTER TABLE archive ADD COLUMN acts BLOB;

-- Who sits at which table, or sat there when it ended: written with the act by which that changes.

CREATE TABLE sitters (
    account TEXT NOT NULL,
    name    TEXT NOT NULL, -- of the table
    PRIMARY KEY (account, name)
) WITHOUT ROWID;

CREATE INDEX sitters_name ON sitters (name);

-- Of games that ended, from their results; of all others from the acts that are still there: whoever sat down, and did
-- not stand up from that chair since.

INSERT INTO sitters SELECT DISTINCT account, name FROM results WHERE account IS NOT NULL;

WITH documents AS (
    SELECT key, seq, CASE WHEN json_valid(CAST(act AS TEXT)) THEN CAST(act AS TEXT) ELSE '{}' END AS act FROM acts
), sat AS (
    SELECT key, max(seq) AS seq, json_extract(act, '$.account') AS account, json_extract(act, '$.chair') AS chair FROM documents
    WHERE json_extract(act, '$.act') = 'sat' AND json_extract(act, '$.account') IS NOT NULL GROUP BY key, account
), stood AS (
    SELECT documents.key, seq, gone.value AS chair FROM documents, json_each(act, '$.chairs') AS gone WHERE json_extract(act, '$.act') = 'stood'
)
INSERT OR IGNORE INTO sitters
    SELECT account, name FROM sat JOIN heads USING (key) WHERE NOT EXISTS (
        SELECT 1 FROM stood WHERE stood.key = sat.key AND stood.seq > sat.seq AND stood.chair = sat.chair
    );

-- What is counted of a game without reading every result.

CREATE INDEX results_game ON results (game, account, bot, won, score);
