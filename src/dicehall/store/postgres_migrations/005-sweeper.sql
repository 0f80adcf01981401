-- Which process took it upon itself to do what is overdue at a table: it may archive the table, and no other.

ALTER TABLE heads ADD COLUMN IF NOT EXISTS sweeper TEXT NOT NULL DEFAULT '';
