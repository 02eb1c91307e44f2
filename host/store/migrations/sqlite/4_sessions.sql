-- Conversations. `host` is the process that has the session open.
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    person TEXT,
    working_dir TEXT,
    created_ms BIGINT NOT NULL,
    updated_ms BIGINT NOT NULL,
    turns BIGINT NOT NULL,
    messages BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    data TEXT NOT NULL,
    host BIGINT REFERENCES hosts (id),
    claimed_ms BIGINT
);
CREATE INDEX sessions_by_age ON sessions (updated_ms);
