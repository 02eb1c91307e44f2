-- Rows of before the column `at_ms` were written now, at the latest.
UPDATE feed SET at_ms = CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE number = 0 AND at_ms = 0;
