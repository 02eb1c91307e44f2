-- Version 9 took the session of a sub-agent's turn for its root. The turn's data names the session above.
DO $$
DECLARE
    child RECORD;
    above TEXT;
    next_above TEXT;
BEGIN
    FOR child IN SELECT id, data FROM checkpoints WHERE of_subagent = 1 AND root = session LOOP
        BEGIN
            above := child.data::json ->> 'parent';
            FOR depth IN 1..100 LOOP
                SELECT data::json ->> 'parent' INTO next_above FROM checkpoints
                WHERE session = above AND of_subagent = 1 LIMIT 1;
                EXIT WHEN next_above IS NULL;
                above := next_above;
            END LOOP;
            UPDATE checkpoints SET root = above WHERE id = child.id AND above IS NOT NULL;
        EXCEPTION WHEN data_exception THEN
            -- Its data is damaged, so that it cannot be resumed either.
            NULL;
        END;
    END LOOP;
END $$;
