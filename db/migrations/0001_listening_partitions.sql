-- Monthly partitions of the event tables, made ahead: an insert without its partition would fail.
CREATE FUNCTION make_listening_partitions(first_day date, months integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  month_start date := date_trunc('month', first_day)::date;
BEGIN
  -- two processes may do this at once
  PERFORM pg_advisory_xact_lock(hashtext('make_listening_partitions'));
  FOR i IN 0..months - 1 LOOP
    FOREACH parent IN ARRAY ARRAY['listens', 'downloads'] LOOP
      EXECUTE format(
        'CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
        parent || to_char(month_start, '_YYYY_MM'), parent, month_start, (month_start + interval '1 month')::date
      );
    END LOOP;
    month_start := (month_start + interval '1 month')::date;
  END LOOP;
END $$;--> statement-breakpoint
SELECT make_listening_partitions((current_date - 31), 4);
