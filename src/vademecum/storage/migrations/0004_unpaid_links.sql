-- Whether a link was saved when its account had no credit left: a save that is repeated says so again.
ALTER TABLE item ADD COLUMN unpaid INTEGER NOT NULL DEFAULT 0;
