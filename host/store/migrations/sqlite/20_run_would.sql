-- What would have followed a run in audit mode, as JSON. Of runs that were recorded before, it is not known.
ALTER TABLE runs ADD COLUMN would TEXT;
