-- Suspended turns.
CREATE TABLE checkpoints (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    saved_ms BIGINT NOT NULL,
    claimed_ms BIGINT,
    claimed_process BIGINT,
    claimed_host TEXT,
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    turn BIGINT NOT NULL,
    reason TEXT NOT NULL,
    pending TEXT NOT NULL,
    resolutions TEXT NOT NULL,
    of_subagent BIGINT NOT NULL,
    data TEXT NOT NULL
);
CREATE INDEX checkpoints_waiting ON checkpoints (session) WHERE claimed_ms IS NULL;
