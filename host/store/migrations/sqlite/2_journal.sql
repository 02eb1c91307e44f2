-- The processes that have opened the store.
CREATE TABLE hosts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    pid BIGINT NOT NULL,
    machine TEXT NOT NULL,
    lock TEXT NOT NULL UNIQUE,
    started_ms BIGINT NOT NULL,
    heartbeat_ms BIGINT NOT NULL,
    ended_ms BIGINT
);
-- Hook runs. `seq` is the order in which they were written; for one host, in which they began.
CREATE TABLE runs (
    seq INTEGER PRIMARY KEY,
    host BIGINT NOT NULL REFERENCES hosts (id),
    id BIGINT NOT NULL,
    session TEXT NOT NULL,
    turn BIGINT NOT NULL,
    step BIGINT NOT NULL,
    point TEXT NOT NULL,
    hook TEXT NOT NULL,
    attempt BIGINT NOT NULL,
    component TEXT,
    input TEXT,
    started_ms BIGINT NOT NULL,
    state TEXT NOT NULL DEFAULT 'started',
    ended_ms BIGINT,
    outcome TEXT,
    latency_us BIGINT,
    fuel BIGINT,
    cause TEXT,
    message TEXT,
    contributions TEXT NOT NULL DEFAULT '[]',
    before TEXT,
    after TEXT,
    fatal BIGINT NOT NULL DEFAULT 0,
    UNIQUE (host, id)
);
CREATE INDEX runs_by_session ON runs (session, turn);
CREATE INDEX runs_by_hook ON runs (hook);
CREATE INDEX runs_by_age ON runs (started_ms);
CREATE INDEX runs_open ON runs (host) WHERE state IN ('started', 'backgrounded');
