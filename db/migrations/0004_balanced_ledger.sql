-- At the commit, each entry has lines, which sum to nothing in each currency.
CREATE FUNCTION ledger_is_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  entry bigint := CASE tg_table_name WHEN 'ledger_lines' THEN (to_jsonb(new) ->> 'entry_id')::bigint ELSE (to_jsonb(new) ->> 'id')::bigint END;
BEGIN
  IF NOT EXISTS (SELECT FROM ledger_lines WHERE entry_id = entry) THEN
    RAISE EXCEPTION 'ledger entry % has no lines', entry USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (SELECT FROM ledger_lines WHERE entry_id = entry GROUP BY currency HAVING sum(amount_minor) <> 0) THEN
    RAISE EXCEPTION 'ledger entry % is not balanced', entry USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_entries_balanced AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_is_balanced();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_lines_balanced AFTER INSERT ON ledger_lines DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_is_balanced();
