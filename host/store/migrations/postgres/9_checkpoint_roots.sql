-- `root` is the outermost agent's session, with which the turns of its sub-agents are deleted.
ALTER TABLE checkpoints ADD COLUMN root TEXT NOT NULL DEFAULT '';
UPDATE checkpoints SET root = session;
CREATE INDEX checkpoints_by_root ON checkpoints (root);
