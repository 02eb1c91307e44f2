-- When an attempt began: in its first row, which has the number 0.
ALTER TABLE feed ADD COLUMN at_ms BIGINT NOT NULL DEFAULT 0;
CREATE INDEX feed_begun ON feed (session, at_ms) WHERE number = 0;
