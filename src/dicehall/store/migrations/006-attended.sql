-- Whether a person is present at a table: the lobby lists such tables first. A table that stands here already is marked
-- with its next act.

ALTER TABLE heads ADD COLUMN attended INTEGER NOT NULL DEFAULT 0;
