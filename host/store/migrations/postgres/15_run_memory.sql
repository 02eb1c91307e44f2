-- The bytes of memory that the hook's instance had after the run. Of runs that were recorded before, they are not known.
ALTER TABLE runs ADD COLUMN memory BIGINT;
