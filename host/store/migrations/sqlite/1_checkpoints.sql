-- Suspended turns.
CREATE TABLE checkpoints (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    saved_ms BIGINT NOT NULL,
    claimed_ms BIGINT,
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    turn BIGINT NOT NULL,
    reason TEXT NOT NULL,
    pending TEXT NOT NULL,
    data TEXT NOT NULL
);
CREATE INDEX checkpoints_waiting ON checkpoints (session) WHERE claimed_ms IS NULL;
