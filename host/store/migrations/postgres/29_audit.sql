-- Runs in audit mode are found without the others, and counted by session if they would have refused.
CREATE INDEX runs_audited ON runs (started_ms, seq) WHERE mode = 'audit';
ALTER TABLE journal_sessions ADD COLUMN would_refuse BIGINT NOT NULL DEFAULT 0;
UPDATE journal_sessions SET would_refuse = (
    SELECT count(*) FROM runs WHERE runs.session = journal_sessions.session
    AND mode = 'audit' AND (outcome = 'reject' OR fatal <> 0));
