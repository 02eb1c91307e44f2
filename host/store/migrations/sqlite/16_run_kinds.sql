-- What runs that have ended have in common, of which there are few, however many runs there are. A list of runs looks up
-- its kinds first, and then the newest runs of each: no run is read that is not in the list. `outcome` and `cause` are
-- empty where a run has none.
CREATE TABLE run_kinds (
    id INTEGER PRIMARY KEY,
    hook TEXT NOT NULL,
    point TEXT NOT NULL,
    state TEXT NOT NULL,
    outcome TEXT NOT NULL,
    cause TEXT NOT NULL,
    UNIQUE (hook, point, state, outcome, cause)
);
-- 0 until the run has ended.
ALTER TABLE runs ADD COLUMN kind BIGINT NOT NULL DEFAULT 0;
DROP INDEX runs_by_session;
DROP INDEX runs_by_hook;
DROP INDEX runs_by_point;
DROP INDEX runs_by_outcome;
DROP INDEX runs_by_state;
DROP INDEX runs_by_cause;
INSERT INTO run_kinds (hook, point, state, outcome, cause)
    SELECT DISTINCT hook, point, state, coalesce(outcome, ''), coalesce(cause, '') FROM runs
    WHERE state NOT IN ('started', 'backgrounded');
UPDATE runs SET kind = (
    SELECT id FROM run_kinds WHERE run_kinds.hook = runs.hook AND run_kinds.point = runs.point
        AND run_kinds.state = runs.state AND run_kinds.outcome = coalesce(runs.outcome, '')
        AND run_kinds.cause = coalesce(runs.cause, '')
) WHERE state NOT IN ('started', 'backgrounded');
CREATE INDEX runs_by_kind ON runs (kind, started_ms);
CREATE INDEX runs_by_session ON runs (session, kind, started_ms, seq, turn);
