-- The grants that a run used, as a JSON list. Of runs that were recorded before, they are not known.
ALTER TABLE runs ADD COLUMN used TEXT;
