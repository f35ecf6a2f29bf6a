-- An email that was sent stays in the results after its contact was deleted; only who still waited is subtracted.
CREATE OR REPLACE FUNCTION sum_edition_recipients() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  d record;
BEGIN
  FOR d IN EXECUTE format($q$
    SELECT r.edition_id, r.state, CASE WHEN r.state = 'skipped' THEN coalesce(r.answer, '') ELSE '' END AS reason, sum(r.n)::integer AS n
    FROM (%s) r GROUP BY 1, 2, 3 HAVING sum(r.n) <> 0
    $q$, concat_ws(' UNION ALL ',
      CASE TG_OP WHEN 'UPDATE' THEN 'SELECT *, -1 AS n FROM old_rows'
        WHEN 'DELETE' THEN 'SELECT *, -1 AS n FROM old_rows WHERE state IN (''waiting'', ''leased'')' END,
      CASE WHEN TG_OP <> 'DELETE' THEN 'SELECT *, 1 AS n FROM new_rows' END))
  LOOP
    UPDATE edition_sums SET emails = emails + d.n WHERE ctid = (
      SELECT ctid FROM edition_sums WHERE edition_id = d.edition_id AND state = d.state AND reason = d.reason
      LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
      INSERT INTO edition_sums (edition_id, state, reason, emails)
        SELECT id, d.state, d.reason, d.n FROM editions WHERE id = d.edition_id;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
