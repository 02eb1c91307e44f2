-- Which start of the server has the lock of a host. A server that was started again has forgotten its locks.
ALTER TABLE hosts ADD COLUMN server TEXT;
-- Components that are left alone in every process of a scope, since they failed too often in a row.
CREATE TABLE quarantines (
    scope TEXT NOT NULL,
    hook TEXT NOT NULL,
    component TEXT NOT NULL,
    failures BIGINT NOT NULL,
    cause TEXT NOT NULL,
    until_ms BIGINT NOT NULL,
    PRIMARY KEY (scope, hook, component)
) WITHOUT ROWID;
-- How often a turn was begun or continued.
ALTER TABLE turns ADD COLUMN attempt BIGINT NOT NULL DEFAULT 1;
