-- The former release may be running: what it writes between the first count and the end of this migration would be in no sum.
LOCK TABLE subscriptions IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "subscription_sums" (
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"currency" text NOT NULL,
	"every" text NOT NULL,
	"is_movable" boolean NOT NULL,
	"is_pausable" boolean NOT NULL,
	"subscriptions" integer NOT NULL,
	"price_minor" bigint NOT NULL,
	CONSTRAINT "subscription_sums_once" UNIQUE("creator_id","product_id","currency","every","is_movable","is_pausable")
);
--> statement-breakpoint
CREATE INDEX "sales_of_plan" ON "sales" USING btree ("creator_id","paid_at","id") WHERE "sales"."purpose" = 'plan';--> statement-breakpoint
-- The keys are added in one order, so that two statements do not wait for each other. A change that moves no subscription to other sums, such
-- as a renewal, changes none and waits for nobody. Sums of zero would only accumulate; those that another transaction changes stay, because it
-- deletes them itself.
CREATE FUNCTION sum_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($q$
    INSERT INTO subscription_sums AS c (creator_id, product_id, currency, every, is_movable, is_pausable, subscriptions, price_minor)
    SELECT s.creator_id, s.product_id, s.currency, s.every, s.account IS NULL AND s.checkout_id IS NOT NULL,
      s.every = 'month' AND s.ends_at IS NULL AND s.past_due_since IS NULL AND s.status <> 'trialing' OR s.paused_until IS NOT NULL,
      sum(s.n), sum(s.n * s.price_minor)
    FROM (%s) s WHERE s.purpose = 'show' AND s.ended_at IS NULL
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(s.n) <> 0 OR sum(s.n * s.price_minor) <> 0 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (creator_id, product_id, currency, every, is_movable, is_pausable) DO UPDATE
      SET subscriptions = c.subscriptions + excluded.subscriptions, price_minor = c.price_minor + excluded.price_minor
    $q$, concat_ws(' UNION ALL ',
      CASE WHEN TG_OP <> 'INSERT' THEN 'SELECT *, -1 AS n FROM old_rows' END,
      CASE WHEN TG_OP <> 'DELETE' THEN 'SELECT *, 1 AS n FROM new_rows' END));
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM subscription_sums WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM subscription_sums WHERE subscriptions = 0 AND creator_id IN (SELECT creator_id FROM old_rows) FOR UPDATE SKIP LOCKED));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER subscriptions_summed_insert AFTER INSERT ON subscriptions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_subscriptions();--> statement-breakpoint
CREATE TRIGGER subscriptions_summed_update AFTER UPDATE ON subscriptions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_subscriptions();--> statement-breakpoint
CREATE TRIGGER subscriptions_summed_delete AFTER DELETE ON subscriptions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_subscriptions();--> statement-breakpoint
INSERT INTO subscription_sums (creator_id, product_id, currency, every, is_movable, is_pausable, subscriptions, price_minor)
  SELECT creator_id, product_id, currency, every, account IS NULL AND checkout_id IS NOT NULL,
    every = 'month' AND ends_at IS NULL AND past_due_since IS NULL AND status <> 'trialing' OR paused_until IS NOT NULL, count(*), sum(price_minor)
  FROM subscriptions WHERE purpose = 'show' AND ended_at IS NULL GROUP BY 1, 2, 3, 4, 5, 6;
