-- What hooks remember of a session. `agent` is 0 for the outermost agent's hooks. Hooks choose the keys,
-- so they may hold any byte.
CREATE TABLE private_state (
    session TEXT NOT NULL,
    agent BIGINT NOT NULL,
    hook TEXT NOT NULL,
    key BLOB NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (session, agent, hook, key)
);
-- What hooks share. `scope` keeps the namespaces of one set of hooks apart from those of others.
CREATE TABLE shared_state (
    scope TEXT NOT NULL,
    namespace TEXT NOT NULL,
    key BLOB NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (scope, namespace, key)
);
