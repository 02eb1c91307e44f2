-- Turns that have begun and not ended, at most one of a session, and the values of what they did.
CREATE TABLE turns (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    turn BIGINT NOT NULL,
    began_ms BIGINT NOT NULL,
    data TEXT NOT NULL
);
CREATE TABLE effects (
    turn TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (turn, path)
);
