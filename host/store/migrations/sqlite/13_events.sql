-- The tool call that a run is about, and the fields that the hook changed, as JSON.
ALTER TABLE runs ADD COLUMN call_id TEXT;
ALTER TABLE runs ADD COLUMN changes TEXT;
-- Lists of runs are in the order of `seq`, and have few of many.
DROP INDEX runs_by_session;
DROP INDEX runs_by_hook;
CREATE INDEX runs_by_session ON runs (session, seq, turn);
CREATE INDEX runs_by_hook ON runs (hook, seq, point);
CREATE INDEX runs_by_point ON runs (point, seq);
CREATE INDEX runs_by_outcome ON runs (outcome, seq) WHERE outcome <> 'continue';
CREATE INDEX runs_by_state ON runs (state, seq) WHERE state NOT IN ('started', 'backgrounded', 'completed');
CREATE INDEX runs_by_cause ON runs (cause, seq) WHERE cause IS NOT NULL;
-- What agents did between hook runs. `id` is of the same numbers as those of runs. `hooks` is the digest of the hooks
-- that a session was opened with.
CREATE TABLE events (
    host BIGINT NOT NULL REFERENCES hosts (id),
    id BIGINT NOT NULL,
    session TEXT NOT NULL,
    turn BIGINT NOT NULL,
    step BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    data TEXT NOT NULL,
    hooks TEXT,
    PRIMARY KEY (host, id)
) WITHOUT ROWID;
CREATE INDEX events_by_session ON events (session, turn);
CREATE INDEX events_by_hooks ON events (hooks) WHERE hooks IS NOT NULL;
CREATE TABLE hook_sets (
    digest TEXT PRIMARY KEY,
    data TEXT NOT NULL
) WITHOUT ROWID;
