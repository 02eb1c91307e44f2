-- The engine that runs a turn, such as a Restate server. Before, it was in the turn's data.
ALTER TABLE turns ADD COLUMN engine TEXT;
UPDATE turns SET engine = 'restate' WHERE data = '{"engine":"restate"}';
