-- Blocks of recorded calls. `number` counts the blocks of a host. `hooks` are the ids of the hooks whose calls are in
-- it, as a JSON list.
CREATE TABLE recordings (
    host BIGINT NOT NULL,
    number BIGINT NOT NULL,
    first_ms BIGINT NOT NULL,
    last_ms BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    raw BIGINT NOT NULL,
    hooks TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (host, number)
);
CREATE INDEX recordings_by_time ON recordings (last_ms);
