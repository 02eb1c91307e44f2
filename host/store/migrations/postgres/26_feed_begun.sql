-- Rows of before the column `at_ms` were written now, at the latest.
UPDATE feed SET at_ms = CAST(extract(epoch FROM now()) * 1000 AS BIGINT) WHERE number = 0 AND at_ms = 0;
