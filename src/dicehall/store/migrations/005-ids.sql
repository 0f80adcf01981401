-- That an id of a client is used once at a table is kept in memory by the one process that may write (see book.py), from
-- what stands here. The index cost as much as all the rest of storing an act: random ids touch pages all over it.

DROP INDEX acts_id;
