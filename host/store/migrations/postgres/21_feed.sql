-- What happens in a turn that another process runs, for whoever asked for it.
CREATE TABLE feed (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session TEXT NOT NULL,
    request TEXT NOT NULL,
    attempt BIGINT NOT NULL,
    number BIGINT NOT NULL,
    event TEXT NOT NULL
);
CREATE INDEX feed_by_request ON feed (request, id);
CREATE INDEX feed_by_session ON feed (session);
