-- Background jobs. `host` is the process that runs a job.
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    agent TEXT NOT NULL,
    name TEXT NOT NULL,
    hook TEXT NOT NULL,
    session TEXT NOT NULL,
    input TEXT NOT NULL,
    queued_ms BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    host BIGINT REFERENCES hosts (id),
    ended_ms BIGINT,
    error TEXT
);
CREATE INDEX jobs_open ON jobs (agent) WHERE ended_ms IS NULL;
CREATE INDEX jobs_by_session ON jobs (session);
