-- Version 9 took the session of a sub-agent's turn for its root. The turn's data names the session above.
WITH RECURSIVE above (id, root, depth) AS (
    SELECT id, json_extract(data, '$.parent'), 1 FROM checkpoints
    WHERE of_subagent = 1 AND root = session AND json_valid(data)
    UNION ALL
    SELECT above.id, json_extract(parent.data, '$.parent'), above.depth + 1
    FROM above JOIN checkpoints parent ON parent.session = above.root AND parent.of_subagent = 1
    WHERE json_valid(parent.data) AND above.depth < 100
)
UPDATE checkpoints SET root = coalesce(
    (SELECT above.root FROM above WHERE above.id = checkpoints.id AND above.root IS NOT NULL
     ORDER BY above.depth DESC LIMIT 1),
    root)
WHERE of_subagent = 1 AND root = session;
