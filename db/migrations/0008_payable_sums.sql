CREATE TABLE "payable_sums" (
	"creator_id" bigint NOT NULL,
	"currency" text NOT NULL,
	"month" date NOT NULL,
	"kind" text NOT NULL,
	"available_on" date NOT NULL,
	"available_at" timestamp with time zone NOT NULL,
	"entries" integer NOT NULL,
	"owed_minor" bigint NOT NULL,
	CONSTRAINT "payable_sums_creator_id_currency_month_kind_available_on_pk" PRIMARY KEY("creator_id","currency","month","kind","available_on")
);
--> statement-breakpoint
-- What the creators are owed, by line. `is_first`: an entry counts once, even with two lines for the creator.
CREATE VIEW payable_lines AS
  SELECT l.id, l.creator_id, l.currency, date_trunc('month', e.at AT TIME ZONE 'UTC')::date AS month, e.kind,
    (l.available_at AT TIME ZONE 'UTC')::date AS available_on, l.available_at, -l.amount_minor AS owed_minor,
    NOT EXISTS (SELECT FROM ledger_lines o WHERE o.entry_id = l.entry_id AND o.account = 'creator_payable' AND o.currency = l.currency AND o.id < l.id) AS is_first
  FROM ledger_lines l JOIN ledger_entries e ON e.id = l.entry_id WHERE l.account = 'creator_payable';--> statement-breakpoint
-- Lines are only added, so the sums are, too. The keys are added in one order, so that two statements do not wait for each other.
CREATE FUNCTION add_payable_sums(lines bigint[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO payable_sums AS s (creator_id, currency, month, kind, available_on, available_at, entries, owed_minor)
    SELECT creator_id, currency, month, kind, available_on, max(available_at), count(*) FILTER (WHERE is_first), sum(owed_minor)
    FROM unnest(lines) added (id) JOIN payable_lines USING (id) GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (creator_id, currency, month, kind, available_on) DO UPDATE SET available_at = greatest(s.available_at, excluded.available_at),
      entries = s.entries + excluded.entries, owed_minor = s.owed_minor + excluded.owed_minor
$$;--> statement-breakpoint
CREATE FUNCTION sum_payable_lines() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_payable_sums(array_agg(id)) FROM new_rows WHERE account = 'creator_payable';
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER ledger_lines_summed AFTER INSERT ON ledger_lines REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_payable_lines();--> statement-breakpoint
SELECT add_payable_sums(array_agg(id)) FROM ledger_lines WHERE account = 'creator_payable';
