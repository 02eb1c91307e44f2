-- The session whose calls are in a block, so that they are deleted with it. A block that was written before may have calls
-- of several: it has none, and stays until it is too old or too much.
ALTER TABLE recordings ADD COLUMN session TEXT;
CREATE INDEX recordings_by_session ON recordings (session);
