-- The books are only ever added to.
CREATE FUNCTION ledger_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is only added to: % of % is not allowed', tg_op, tg_table_name USING ERRCODE = 'restrict_violation';
END $$;--> statement-breakpoint
CREATE TRIGGER ledger_entries_final BEFORE UPDATE OR DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
CREATE TRIGGER ledger_lines_final BEFORE UPDATE OR DELETE ON ledger_lines FOR EACH ROW EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
CREATE TRIGGER ledger_entries_kept BEFORE TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
CREATE TRIGGER ledger_lines_kept BEFORE TRUNCATE ON ledger_lines FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
-- What operators did, and papers that were issued, stay as they were.
CREATE TRIGGER operator_actions_final BEFORE UPDATE OR DELETE ON operator_actions FOR EACH ROW EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
CREATE TRIGGER operator_actions_kept BEFORE TRUNCATE ON operator_actions FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
CREATE TRIGGER payout_papers_final BEFORE UPDATE OR DELETE ON payout_papers FOR EACH ROW EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
CREATE TRIGGER payout_papers_kept BEFORE TRUNCATE ON payout_papers FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_final();
