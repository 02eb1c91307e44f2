-- A quarantine is of a component and its settings. Those of before are forgotten: a component that still fails is soon
-- in quarantine again.
DROP TABLE quarantines;
CREATE TABLE quarantines (
    scope TEXT NOT NULL,
    hook TEXT NOT NULL,
    component TEXT NOT NULL,
    settings TEXT NOT NULL,
    failures BIGINT NOT NULL,
    cause TEXT NOT NULL,
    until_ms BIGINT NOT NULL,
    PRIMARY KEY (scope, hook, component, settings)
) WITHOUT ROWID;
