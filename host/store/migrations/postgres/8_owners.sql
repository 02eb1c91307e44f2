-- `root` is the outermost agent's session: a sub-agent's own session is not saved.
ALTER TABLE jobs ADD COLUMN root TEXT NOT NULL DEFAULT '';
UPDATE jobs SET root = session;
CREATE INDEX jobs_by_root ON jobs (root);
-- A process id is reused: a process is known by its start too, which is counted from the start of its machine.
ALTER TABLE checkpoints ADD COLUMN claimed_start TEXT;
-- Older versions kept what hooks remember of sessions that were not saved.
DELETE FROM private_state WHERE session NOT IN (SELECT id FROM sessions);
