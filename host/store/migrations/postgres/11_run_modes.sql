-- Of runs that were recorded before, the mode is not known.
ALTER TABLE runs ADD COLUMN mode TEXT;
ALTER TABLE runs ADD COLUMN code TEXT;
ALTER TABLE runs ADD COLUMN restarted BIGINT NOT NULL DEFAULT 0;
