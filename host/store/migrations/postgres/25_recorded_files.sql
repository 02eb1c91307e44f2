-- The contents of the files that recorded calls could read, each once, and the blocks that name them. A content that no
-- block names is deleted.
CREATE TABLE recorded_files (
    name TEXT PRIMARY KEY,
    bytes BIGINT NOT NULL,
    raw BIGINT NOT NULL,
    data BYTEA NOT NULL
);
CREATE TABLE recorded_file_uses (
    host BIGINT NOT NULL,
    number BIGINT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (host, number, name)
);
CREATE INDEX recorded_file_uses_by_name ON recorded_file_uses (name);
