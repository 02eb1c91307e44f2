-- The turns that the memory keeps.
CREATE TABLE memory (
    id INTEGER PRIMARY KEY,
    at_ms BIGINT NOT NULL,
    agent TEXT NOT NULL,
    person TEXT NOT NULL,
    session TEXT NOT NULL,
    turn BIGINT NOT NULL,
    input TEXT NOT NULL,
    output TEXT NOT NULL
);
CREATE INDEX memory_by_person ON memory (agent, person);
CREATE INDEX memory_by_session ON memory (session);
CREATE VIRTUAL TABLE memory_text USING fts5 (
    input, output, content = 'memory', content_rowid = 'id', tokenize = 'unicode61'
);
CREATE TRIGGER memory_inserted AFTER INSERT ON memory BEGIN
    INSERT INTO memory_text (rowid, input, output) VALUES (new.id, new.input, new.output);
END;
CREATE TRIGGER memory_deleted AFTER DELETE ON memory BEGIN
    INSERT INTO memory_text (memory_text, rowid, input, output)
    VALUES ('delete', old.id, old.input, old.output);
END;
