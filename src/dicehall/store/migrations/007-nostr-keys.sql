-- Ids of Nostr events by which people signed in: each is good for one request, also across a restart. They go when they
-- expire, because from then on an event is refused for its age.

CREATE TABLE used_events (
    id      BLOB PRIMARY KEY,
    expires INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX used_events_expiry ON used_events (expires);
CREATE INDEX keys_account ON keys (account);
