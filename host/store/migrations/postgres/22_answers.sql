-- Who has answered the calls of a suspended turn, and until when they may be answered.
ALTER TABLE checkpoints ADD COLUMN answered TEXT NOT NULL DEFAULT '{}';
ALTER TABLE checkpoints ADD COLUMN until_ms BIGINT;
