-- The turns that the memory keeps.
CREATE TABLE memory (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at_ms BIGINT NOT NULL,
    agent TEXT NOT NULL,
    person TEXT NOT NULL,
    session TEXT NOT NULL,
    turn BIGINT NOT NULL,
    input TEXT NOT NULL,
    output TEXT NOT NULL,
    words TSVECTOR GENERATED ALWAYS AS (to_tsvector('simple', input || ' ' || output)) STORED
);
CREATE INDEX memory_by_person ON memory (agent, person);
CREATE INDEX memory_by_session ON memory (session);
CREATE INDEX memory_by_words ON memory USING GIN (words);
