-- The former release may be running: what it writes between the first count and the end of this migration would be in no sum.
LOCK TABLE sales IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "sale_days" (
	"creator_id" bigint NOT NULL,
	"product_id" bigint,
	"purpose" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"sales" integer NOT NULL,
	"amount_minor" bigint NOT NULL,
	"refunded_minor" bigint NOT NULL,
	CONSTRAINT "sale_days_once" UNIQUE NULLS NOT DISTINCT("creator_id","product_id","purpose","currency","day")
);
--> statement-breakpoint
CREATE INDEX "sale_days_of_creator" ON "sale_days" USING btree ("creator_id","day");--> statement-breakpoint
CREATE INDEX "holders_paid_since" ON "holders" USING btree ("creator_id","paid_since") WHERE "holders"."product_id" is null;--> statement-breakpoint
-- The keys are added in one order, so that two statements do not wait for each other. Changes of other columns change no sum.
CREATE FUNCTION sum_sales() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($q$
    INSERT INTO sale_days AS c (creator_id, product_id, purpose, currency, day, sales, amount_minor, refunded_minor)
    SELECT s.creator_id, s.product_id, s.purpose, s.currency, (s.paid_at AT TIME ZONE 'UTC')::date,
      sum(s.n), sum(s.n * s.amount_minor), sum(s.n * s.refunded_minor)
    FROM (%s) s
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(s.n) <> 0 OR sum(s.n * s.amount_minor) <> 0 OR sum(s.n * s.refunded_minor) <> 0
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (creator_id, product_id, purpose, currency, day) DO UPDATE SET sales = c.sales + excluded.sales,
      amount_minor = c.amount_minor + excluded.amount_minor, refunded_minor = c.refunded_minor + excluded.refunded_minor
    $q$, concat_ws(' UNION ALL ',
      CASE WHEN TG_OP <> 'INSERT' THEN 'SELECT *, -1 AS n FROM old_rows' END,
      CASE WHEN TG_OP <> 'DELETE' THEN 'SELECT *, 1 AS n FROM new_rows' END));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER sales_summed_insert AFTER INSERT ON sales REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_sales();--> statement-breakpoint
CREATE TRIGGER sales_summed_update AFTER UPDATE ON sales REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_sales();--> statement-breakpoint
CREATE TRIGGER sales_summed_delete AFTER DELETE ON sales REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_sales();--> statement-breakpoint
INSERT INTO sale_days (creator_id, product_id, purpose, currency, day, sales, amount_minor, refunded_minor)
  SELECT creator_id, product_id, purpose, currency, (paid_at AT TIME ZONE 'UTC')::date, count(*), sum(amount_minor), sum(refunded_minor)
  FROM sales GROUP BY 1, 2, 3, 4, 5;
