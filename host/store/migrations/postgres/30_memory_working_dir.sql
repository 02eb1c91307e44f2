-- Agents of one name in two directories have memories of their own. What was kept before is of the directory of its
-- session.
ALTER TABLE memory ADD COLUMN working_dir TEXT NOT NULL DEFAULT '';
UPDATE memory SET working_dir = coalesce(
    (SELECT sessions.working_dir FROM sessions WHERE sessions.id = memory.session), '');
DROP INDEX memory_by_person;
CREATE INDEX memory_by_directory ON memory (agent, person, working_dir);
