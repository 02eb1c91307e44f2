-- Agents of one name in two directories have jobs of their own.
ALTER TABLE jobs ADD COLUMN working_dir TEXT NOT NULL DEFAULT '';
