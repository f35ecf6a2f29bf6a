CREATE TABLE "ledger_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"sale_id" bigint,
	"creator_id" bigint,
	"product_id" bigint,
	"payout_id" bigint,
	"at" timestamp with time zone NOT NULL,
	"note" text,
	"actor" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_lines" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_lines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"entry_id" bigint NOT NULL,
	"account" text NOT NULL,
	"creator_id" bigint,
	"country" text,
	"currency" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"available_at" timestamp with time zone,
	CONSTRAINT "ledger_lines_amount" CHECK ("ledger_lines"."amount_minor" <> 0),
	CONSTRAINT "ledger_lines_creator" CHECK (("ledger_lines"."account" = 'creator_payable') = ("ledger_lines"."creator_id" is not null) and ("ledger_lines"."creator_id" is null) = ("ledger_lines"."available_at" is null)),
	CONSTRAINT "ledger_lines_country" CHECK ("ledger_lines"."country" is null or "ledger_lines"."account" = 'vat_payable')
);
--> statement-breakpoint
ALTER TABLE "sales" DROP CONSTRAINT "sales_commission";--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "vat_minor" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "vat_basis_points" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "vat_country" text;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "vat_basis" text;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "vat_evidence" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "seller_account" text;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_lines" ADD CONSTRAINT "ledger_lines_entry_id_ledger_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."ledger_entries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_lines" ADD CONSTRAINT "ledger_lines_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_once" ON "ledger_entries" USING btree ("key");--> statement-breakpoint
CREATE INDEX "ledger_entries_of_creator" ON "ledger_entries" USING btree ("creator_id","at");--> statement-breakpoint
CREATE INDEX "ledger_entries_of_sale" ON "ledger_entries" USING btree ("sale_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_of_payout" ON "ledger_entries" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_at" ON "ledger_entries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "ledger_lines_of_entry" ON "ledger_lines" USING btree ("entry_id");--> statement-breakpoint
CREATE INDEX "ledger_lines_of_creator" ON "ledger_lines" USING btree ("creator_id","currency","available_at","amount_minor") WHERE "ledger_lines"."account" = 'creator_payable';--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_vat" CHECK ("sales"."vat_minor" between 0 and "sales"."amount_minor");--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_commission" CHECK ("sales"."commission_minor" between 0 and "sales"."amount_minor" - "sales"."vat_minor");--> statement-breakpoint
-- the books are only ever added to
CREATE FUNCTION ledger_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is only added to: % of % is not allowed', tg_op, tg_table_name USING ERRCODE = 'restrict_violation';
END $$;--> statement-breakpoint
CREATE TRIGGER ledger_entries_final BEFORE UPDATE OR DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
CREATE TRIGGER ledger_lines_final BEFORE UPDATE OR DELETE ON ledger_lines FOR EACH ROW EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
CREATE TRIGGER ledger_entries_kept BEFORE TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
CREATE TRIGGER ledger_lines_kept BEFORE TRUNCATE ON ledger_lines FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
-- at commit, each entry has lines, which sum to nothing in each currency
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
CREATE CONSTRAINT TRIGGER ledger_lines_balanced AFTER INSERT ON ledger_lines DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_is_balanced();--> statement-breakpoint
-- what was paid before there was a ledger
INSERT INTO ledger_entries (kind, key, sale_id, creator_id, product_id, at)
SELECT 'sale', 'sale/' || payment_id, id, creator_id, product_id, paid_at FROM sales;--> statement-breakpoint
INSERT INTO ledger_lines (entry_id, account, creator_id, currency, amount_minor, available_at)
SELECT e.id, l.account, l.creator_id, s.currency, l.amount, CASE l.account WHEN 'creator_payable' THEN s.paid_at + interval '168 hours' END
FROM ledger_entries e JOIN sales s ON s.id = e.sale_id
CROSS JOIN LATERAL (VALUES
  ('provider_balance', NULL::bigint, s.amount_minor),
  ('commission', NULL, -s.commission_minor),
  ('creator_payable', s.creator_id, CASE WHEN s.purpose = 'plan' THEN 0 ELSE s.commission_minor - s.amount_minor END),
  ('plan_revenue', NULL, CASE WHEN s.purpose = 'plan' THEN s.commission_minor - s.amount_minor ELSE 0 END)
) l (account, creator_id, amount)
WHERE e.kind = 'sale' AND l.amount <> 0;--> statement-breakpoint
INSERT INTO ledger_entries (kind, key, sale_id, creator_id, product_id, at)
SELECT 'processor_fee', 'fee/' || payment_id, id, creator_id, product_id, paid_at FROM sales WHERE provider_fee_minor <> 0;--> statement-breakpoint
INSERT INTO ledger_lines (entry_id, account, currency, amount_minor)
SELECT e.id, l.account, s.currency, l.amount FROM ledger_entries e JOIN sales s ON s.id = e.sale_id
CROSS JOIN LATERAL (VALUES ('provider_fees', s.provider_fee_minor), ('provider_balance', -s.provider_fee_minor)) l (account, amount)
WHERE e.kind = 'processor_fee';--> statement-breakpoint
INSERT INTO ledger_entries (kind, key, sale_id, creator_id, product_id, at)
SELECT 'refund', 'refund/' || r.provider_id, s.id, s.creator_id, s.product_id, r.refunded_at
FROM refunds r JOIN sales s ON s.id = r.sale_id WHERE r.status NOT IN ('failed', 'canceled');--> statement-breakpoint
INSERT INTO ledger_lines (entry_id, account, creator_id, currency, amount_minor, available_at)
SELECT e.id, l.account, l.creator_id, r.currency, l.amount,
  CASE l.account WHEN 'creator_payable' THEN greatest(r.paid_at + interval '168 hours', r.refunded_at) END
FROM (
  SELECT r.provider_id, r.refunded_at, r.amount_minor, s.creator_id, s.currency, s.purpose, s.paid_at,
    round(s.commission_minor::numeric * sum(r.amount_minor) OVER upto / s.amount_minor)
    - round(s.commission_minor::numeric * (sum(r.amount_minor) OVER upto - r.amount_minor) / s.amount_minor) AS commission
  FROM refunds r JOIN sales s ON s.id = r.sale_id
  WHERE r.status NOT IN ('failed', 'canceled')
  WINDOW upto AS (PARTITION BY r.sale_id ORDER BY r.refunded_at, r.provider_id)
) r
JOIN ledger_entries e ON e.key = 'refund/' || r.provider_id
CROSS JOIN LATERAL (VALUES
  ('provider_balance', NULL::bigint, -r.amount_minor),
  ('commission', NULL, r.commission),
  ('creator_payable', r.creator_id, CASE WHEN r.purpose = 'plan' THEN 0 ELSE r.amount_minor - r.commission END),
  ('plan_revenue', NULL, CASE WHEN r.purpose = 'plan' THEN r.amount_minor - r.commission ELSE 0 END)
) l (account, creator_id, amount)
WHERE l.amount <> 0;
--> statement-breakpoint
-- later migrations of the same transaction change these tables
SET CONSTRAINTS ALL IMMEDIATE;--> statement-breakpoint
SET CONSTRAINTS ALL DEFERRED;
