-- The former release may be running: what it writes between the first count and the end of this migration would be in no sum.
LOCK TABLE subscriptions IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "subscription_days" (
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"gained" integer NOT NULL,
	"lost" integer NOT NULL,
	CONSTRAINT "subscription_days_once" UNIQUE("creator_id","product_id","day","currency")
);
--> statement-breakpoint
CREATE INDEX "sales_of_coupon" ON "sales" USING btree ("coupon_id","paid_at") WHERE "sales"."coupon_id" is not null;--> statement-breakpoint
CREATE INDEX "coupon_redemptions_redeemed" ON "coupon_redemptions" USING btree ("coupon_id","updated_at") WHERE "coupon_redemptions"."state" = 'redeemed';--> statement-breakpoint
-- A subscription is counted on the day on which it began, and on the day on which it ended. The keys are added in one order, so that two
-- statements do not wait for each other. A renewal changes no sum, and waits for nobody.
CREATE FUNCTION sum_subscription_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($q$
    INSERT INTO subscription_days AS c (creator_id, product_id, currency, day, gained, lost)
    SELECT s.creator_id, s.product_id, s.currency, e.day, sum(s.n * e.gained), sum(s.n * e.lost)
    FROM (%s) s, LATERAL (VALUES ((s.started_at AT TIME ZONE 'UTC')::date, 1, 0), ((s.ended_at AT TIME ZONE 'UTC')::date, 0, 1)) e (day, gained, lost)
    WHERE s.purpose = 'show' AND s.status NOT IN ('incomplete', 'expired') AND s.end_reason IS DISTINCT FROM 'duplicate' AND e.day IS NOT NULL
    GROUP BY 1, 2, 3, 4 HAVING sum(s.n * e.gained) <> 0 OR sum(s.n * e.lost) <> 0
    ORDER BY 1, 2, 4, 3
    ON CONFLICT (creator_id, product_id, day, currency) DO UPDATE SET gained = c.gained + excluded.gained, lost = c.lost + excluded.lost
    $q$, concat_ws(' UNION ALL ',
      CASE WHEN TG_OP <> 'INSERT' THEN 'SELECT *, -1 AS n FROM old_rows' END,
      CASE WHEN TG_OP <> 'DELETE' THEN 'SELECT *, 1 AS n FROM new_rows' END));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER subscriptions_of_days_insert AFTER INSERT ON subscriptions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_subscription_days();--> statement-breakpoint
CREATE TRIGGER subscriptions_of_days_update AFTER UPDATE ON subscriptions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_subscription_days();--> statement-breakpoint
CREATE TRIGGER subscriptions_of_days_delete AFTER DELETE ON subscriptions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_subscription_days();--> statement-breakpoint
INSERT INTO subscription_days (creator_id, product_id, currency, day, gained, lost)
  SELECT s.creator_id, s.product_id, s.currency, e.day, sum(e.gained), sum(e.lost)
  FROM subscriptions s, LATERAL (VALUES ((s.started_at AT TIME ZONE 'UTC')::date, 1, 0), ((s.ended_at AT TIME ZONE 'UTC')::date, 0, 1)) e (day, gained, lost)
  WHERE s.purpose = 'show' AND s.status NOT IN ('incomplete', 'expired') AND s.end_reason IS DISTINCT FROM 'duplicate' AND e.day IS NOT NULL
  GROUP BY 1, 2, 3, 4;
