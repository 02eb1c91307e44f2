-- The fields of what a run contributed, as JSON. Of runs that were recorded before, they are not known.
ALTER TABLE runs ADD COLUMN added TEXT;
