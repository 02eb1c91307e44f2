-- What the journal has of each session, kept up with its runs and events. `revision` grows with every transaction that
-- wrote something of the session. `state` is empty while no turn is recorded. `host` is the one that wrote last.
CREATE TABLE journal_sessions (
    session TEXT PRIMARY KEY,
    agent TEXT,
    parent TEXT,
    host BIGINT NOT NULL,
    began_ms BIGINT NOT NULL,
    active_ms BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    state TEXT NOT NULL,
    turn BIGINT NOT NULL,
    runs BIGINT NOT NULL,
    refusals BIGINT NOT NULL,
    changes BIGINT NOT NULL,
    failures BIGINT NOT NULL
);
INSERT INTO journal_sessions
    SELECT session, NULL, NULL, max(host), min(at_ms), max(at_ms), 1, '', max(turn),
        sum(runs), sum(refusals), sum(changes), sum(failures)
    FROM (
        SELECT session, host, started_ms AS at_ms, turn,
            CASE WHEN state IN ('started', 'skipped') THEN 0 ELSE 1 END AS runs,
            CASE WHEN coalesce(mode, '') <> 'audit' AND (coalesce(outcome, '') = 'reject' OR fatal <> 0) THEN 1 ELSE 0 END AS refusals,
            CASE WHEN after IS NULL THEN 0 ELSE 1 END AS changes,
            CASE WHEN state IN ('failed', 'timed-out', 'lost') THEN 1 ELSE 0 END AS failures
        FROM runs
        UNION ALL SELECT session, host, at_ms, turn, 0, 0, 0, 0 FROM events
    ) AS records GROUP BY session;
UPDATE journal_sessions SET
    agent = (SELECT json_extract(data, '$.agent') FROM events WHERE events.session = journal_sessions.session
        AND data LIKE '%"event":"session-opened"%' LIMIT 1),
    parent = (SELECT json_extract(data, '$.parent') FROM events WHERE events.session = journal_sessions.session
        AND data LIKE '%"event":"session-opened"%' LIMIT 1),
    state = coalesce((SELECT CASE json_extract(data, '$.event')
            WHEN 'turn-ended' THEN 'ended' WHEN 'turn-suspended' THEN 'waiting' WHEN 'turn-failed' THEN 'failed'
            ELSE 'interrupted' END
        FROM events WHERE events.session = journal_sessions.session AND data LIKE '%"event":"turn-%'
        ORDER BY turn DESC, host DESC, id DESC LIMIT 1), '');
CREATE INDEX journal_sessions_by_age ON journal_sessions (active_ms);
CREATE INDEX journal_sessions_running ON journal_sessions (host) WHERE state = 'running';
CREATE INDEX journal_sessions_by_parent ON journal_sessions (parent) WHERE parent IS NOT NULL;
