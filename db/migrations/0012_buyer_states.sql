-- The former release may be running. What it writes between the rebuild below and the end of this migration would be in no sum: it waits here
-- instead, before its triggers begin.
LOCK TABLE products, subscriptions, gifts, sales, grants IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "grant_counts" (
	"product_id" bigint NOT NULL,
	"source" text NOT NULL,
	"ends_on" date NOT NULL,
	"grants" integer NOT NULL,
	CONSTRAINT "grant_counts_once" UNIQUE("product_id","source","ends_on")
);
--> statement-breakpoint
CREATE TABLE "buyer_state_counts" (
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"state" text NOT NULL,
	"on_day" date NOT NULL,
	"people" integer NOT NULL,
	CONSTRAINT "buyer_state_counts_once" UNIQUE("creator_id","product_id","state","on_day")
);
--> statement-breakpoint
CREATE TABLE "buyer_states" (
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"state" text NOT NULL,
	"begins" timestamp with time zone NOT NULL,
	"ends" timestamp with time zone NOT NULL,
	CONSTRAINT "buyer_states_once" UNIQUE("product_id","user_id","begins")
);
--> statement-breakpoint
DROP INDEX "holders_since";--> statement-breakpoint
DROP INDEX "holders_paid_since";--> statement-breakpoint
ALTER TABLE "buyer_states" ADD CONSTRAINT "buyer_states_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buyer_states" ADD CONSTRAINT "buyer_states_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "buyer_states_of_user" ON "buyer_states" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "buyer_states_since" ON "buyer_states" USING btree ("product_id","since","user_id","begins","ends","state");--> statement-breakpoint
CREATE INDEX "buyer_states_in_state" ON "buyer_states" USING btree ("product_id","state","since","user_id","begins","ends");--> statement-breakpoint
CREATE INDEX "buyer_states_begin" ON "buyer_states" USING btree ("product_id","state","begins") WHERE "buyer_states"."begins" > '-infinity';--> statement-breakpoint
CREATE INDEX "buyer_states_end" ON "buyer_states" USING btree ("product_id","state","ends") WHERE "buyer_states"."ends" < 'infinity';--> statement-breakpoint
CREATE INDEX "grants_ending" ON "grants" USING btree ("product_id","ends_at");--> statement-breakpoint
CREATE INDEX "holders_of_product" ON "holders" USING btree ("product_id","user_id");--> statement-breakpoint
CREATE INDEX "users_parts" ON "users" USING gin ("email" gin_trgm_ops,"name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "subscriptions_ending" ON "subscriptions" USING btree ("product_id",coalesce("ends_at", "period_end")) WHERE "subscriptions"."ended_at" is null and "subscriptions"."purpose" = 'show';--> statement-breakpoint
-- What `buyer_states` must contain (docs/decisions/0295). A person's state changes only at these times: when one of their grants starts or
-- ends, and when their running subscription ends. A show with a price has no followers.
CREATE VIEW buyer_state_facts AS
  WITH listed AS (
    SELECT h.creator_id, h.product_id, h.user_id, p.price_minor IS NULL AS is_free,
      CASE WHEN p.price_minor IS NULL THEN h.since ELSE h.paid_since END AS since,
      CASE WHEN p.price_minor IS NULL THEN h.until ELSE h.paid_until END IS NULL AS is_giver
    FROM holders h JOIN products p ON p.id = h.product_id
    WHERE p.price_minor IS NULL OR h.paid_since IS NOT NULL
  ), at_times AS (
    SELECT b.creator_id, b.product_id, b.user_id, b.since, t.at, CASE
      WHEN s.runs AND s.ends_at > t.at AND s.is_overdue THEN 'past_due'
      WHEN s.runs AND s.ends_at > t.at AND s.ends_at < 'infinity' THEN 'cancelled'
      WHEN s.runs AND s.ends_at > t.at AND s.is_paused THEN 'paused'
      WHEN s.runs AND s.ends_at > t.at AND s.is_trial THEN 'trial'
      WHEN s.runs AND s.ends_at > t.at OR g.has_subscription AND s.runs IS NULL THEN 'subscribed'
      WHEN g.has_purchase THEN 'bought'
      WHEN g.has_gift AND EXISTS (SELECT FROM gifts r WHERE r.redeemed_by = b.user_id AND r.product_id = b.product_id) THEN 'gift'
      WHEN g.has_gift THEN 'invited'
      WHEN g.follows THEN 'following'
      WHEN b.is_giver THEN 'giver'
      ELSE 'ended' END AS state
    FROM listed b
    LEFT JOIN LATERAL (
      SELECT s.ended_at IS NULL AS runs, coalesce(s.ends_at, 'infinity') AS ends_at, s.past_due_since IS NOT NULL AS is_overdue,
        s.paused_until IS NOT NULL AS is_paused, s.status = 'trialing' AS is_trial
      FROM subscriptions s WHERE s.user_id = b.user_id AND s.product_id = b.product_id AND s.purpose = 'show'
      ORDER BY s.ended_at IS NULL DESC, s.id DESC LIMIT 1
    ) s ON true
    CROSS JOIN LATERAL (
      SELECT b.since AS at WHERE b.is_giver
      UNION SELECT s.ends_at WHERE s.runs AND s.ends_at < 'infinity'
      UNION SELECT e.at FROM grants g CROSS JOIN LATERAL (VALUES (g.starts_at), (g.ends_at)) e (at)
        WHERE g.user_id = b.user_id AND g.product_id = b.product_id AND e.at IS NOT NULL AND (b.is_free OR g.source <> 'follow')
    ) t
    CROSS JOIN LATERAL (
      SELECT bool_or(g.source = 'subscription') AS has_subscription, bool_or(g.source = 'purchase') AS has_purchase,
        bool_or(g.source = 'gift') AS has_gift, bool_or(g.source = 'follow') AS follows
      FROM grants g
      WHERE g.user_id = b.user_id AND g.product_id = b.product_id AND (b.is_free OR g.source <> 'follow')
        AND g.starts_at <= t.at AND coalesce(g.ends_at, 'infinity') > t.at
    ) g
  ), changes AS (
    SELECT *, lag(state) OVER (PARTITION BY creator_id, product_id, user_id ORDER BY at) AS before FROM at_times
  )
  -- before their first grant, people are shown in the state that it gives them
  SELECT creator_id, product_id, user_id, since, state, CASE WHEN before IS NULL THEN '-infinity' ELSE at END AS begins,
    lead(at, 1, 'infinity') OVER (PARTITION BY creator_id, product_id, user_id ORDER BY at) AS ends
  FROM changes WHERE before IS DISTINCT FROM state;--> statement-breakpoint
CREATE FUNCTION sync_buyer_states(shows bigint[], people bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  facts buyer_state_facts[];
BEGIN
  SELECT array_agg(f) INTO facts FROM buyer_state_facts f WHERE f.product_id = ANY (shows) AND f.user_id = ANY (people);
  DELETE FROM buyer_states b WHERE b.product_id = ANY (shows) AND b.user_id = ANY (people) AND NOT EXISTS (
    SELECT FROM unnest(facts) f WHERE (f.product_id, f.user_id, f.begins) = (b.product_id, b.user_id, b.begins)
      AND (f.since, f.state, f.ends) = (b.since, b.state, b.ends));
  INSERT INTO buyer_states (creator_id, product_id, user_id, since, state, begins, ends)
    SELECT f.creator_id, f.product_id, f.user_id, f.since, f.state, f.begins, f.ends FROM unnest(facts) f
    ORDER BY f.product_id, f.user_id, f.begins ON CONFLICT DO NOTHING;
END $$;--> statement-breakpoint
-- As before, and then the states of the same people. `TG_ARGV[1]`: the table decides states, but not who is a holder. Its triggers insert
-- rows for people without any: if another transaction is inserting them, this one waits for its commit. Rows of people who still
-- have no grant and no payment are deleted below.
CREATE OR REPLACE FUNCTION sync_holders() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners bigint[];
  shows bigint[];
  people bigint[];
BEGIN
  EXECUTE format(
    'SELECT array_agg(DISTINCT p.creator_id), array_agg(DISTINCT p.id), array_agg(DISTINCT r.user_id) FROM (%s) r JOIN products p ON p.id = r.product_id WHERE r.user_id IS NOT NULL',
    changed_rows(TG_OP, TG_ARGV[0])) INTO owners, shows, people;
  IF people IS NULL THEN RETURN NULL; END IF;
  -- before any holder: a verb that changes the price has locked its product, and then waits for the holders
  PERFORM FROM products WHERE id = ANY (shows) ORDER BY id FOR KEY SHARE;
  IF TG_NARGS > 1 THEN
    EXECUTE format(
      'INSERT INTO holders (creator_id, product_id, user_id, since) SELECT DISTINCT p.creator_id, p.id, r.user_id, now() FROM (%s) r JOIN products p ON p.id = r.product_id WHERE r.user_id IS NOT NULL ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING',
      changed_rows(TG_OP, TG_ARGV[0]));
  END IF;
  -- of two transactions about one person, the second waits here for the commit of the first, and then reads its grants
  INSERT INTO holders (creator_id, product_id, user_id, since, paid_since, until, paid_until)
    SELECT f.* FROM holder_facts f WHERE f.creator_id = ANY (owners) AND f.user_id = ANY (people)
    ORDER BY f.creator_id, f.product_id, f.user_id ON CONFLICT DO NOTHING;
  PERFORM FROM holders h WHERE h.creator_id = ANY (owners) AND h.user_id = ANY (people)
    ORDER BY h.creator_id, h.product_id, h.user_id FOR UPDATE;
  UPDATE holders h SET since = f.since, paid_since = f.paid_since, until = f.until, paid_until = f.paid_until
    FROM holder_facts f
    WHERE f.creator_id = ANY (owners) AND f.user_id = ANY (people) AND h.creator_id = f.creator_id AND h.user_id = f.user_id
      AND h.product_id IS NOT DISTINCT FROM f.product_id
      AND (h.since, h.paid_since, h.until, h.paid_until) IS DISTINCT FROM (f.since, f.paid_since, f.until, f.paid_until);
  DELETE FROM holders h WHERE h.creator_id = ANY (owners) AND h.user_id = ANY (people) AND NOT EXISTS (
    SELECT FROM holder_reasons r WHERE r.creator_id = ANY (owners) AND r.user_id = ANY (people) AND r.creator_id = h.creator_id
      AND r.user_id = h.user_id AND (h.product_id IS NULL OR r.product_id = h.product_id));
  PERFORM sync_buyer_states(shows, people);
  RETURN NULL;
END $$;--> statement-breakpoint
-- Whether a show has a price decides whether its followers are buyers. A grant waits for the lock of the verb that changes it (lockProduct).
CREATE FUNCTION price_changed_for_buyers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM holders WHERE product_id = NEW.id ORDER BY creator_id, product_id, user_id FOR UPDATE;
  PERFORM sync_buyer_states(ARRAY[NEW.id], (SELECT array_agg(user_id) FROM holders WHERE product_id = NEW.id));
  RETURN NULL;
END $$;--> statement-breakpoint
-- Sums of zero would only accumulate. Rows that another transaction changes stay: it deletes them itself.
CREATE OR REPLACE FUNCTION count_holders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($q$
    INSERT INTO holder_counts AS c (creator_id, product_id, is_paid, ends_on, people)
    SELECT h.creator_id, h.product_id, k.is_paid, (coalesce(k.until, '-infinity') AT TIME ZONE 'UTC')::date, sum(h.n)
    FROM (%s) h CROSS JOIN LATERAL (VALUES (false, h.until, h.since), (true, h.paid_until, h.paid_since)) k (is_paid, until, since)
    WHERE k.since IS NOT NULL
    GROUP BY 1, 2, 3, 4 HAVING sum(h.n) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (creator_id, product_id, is_paid, ends_on) DO UPDATE SET people = c.people + excluded.people
    $q$, concat_ws(' UNION ALL ',
      CASE WHEN TG_OP <> 'INSERT' THEN 'SELECT *, -1 AS n FROM old_rows' END,
      CASE WHEN TG_OP <> 'DELETE' THEN 'SELECT *, 1 AS n FROM new_rows' END));
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM holder_counts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM holder_counts WHERE people = 0 AND creator_id IN (SELECT creator_id FROM old_rows) FOR UPDATE SKIP LOCKED));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION count_buyer_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($q$
    INSERT INTO buyer_state_counts AS c (creator_id, product_id, state, on_day, people)
    SELECT b.creator_id, b.product_id, b.state, (k.at AT TIME ZONE 'UTC')::date, sum(b.n * k.sign)
    FROM (%s) b CROSS JOIN LATERAL (VALUES (b.begins, 1), (b.ends, -1)) k (at, sign)
    WHERE k.at < 'infinity'
    GROUP BY 1, 2, 3, 4 HAVING sum(b.n * k.sign) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (creator_id, product_id, state, on_day) DO UPDATE SET people = c.people + excluded.people
    $q$, CASE WHEN TG_OP = 'INSERT' THEN 'SELECT *, 1 AS n FROM new_rows' ELSE 'SELECT *, -1 AS n FROM old_rows' END);
  IF TG_OP = 'DELETE' THEN
    DELETE FROM buyer_state_counts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM buyer_state_counts WHERE people = 0 AND product_id IN (SELECT product_id FROM old_rows)
        AND creator_id IN (SELECT creator_id FROM old_rows) FOR UPDATE SKIP LOCKED));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER buyer_states_counted_insert AFTER INSERT ON buyer_states REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_buyer_states();--> statement-breakpoint
CREATE TRIGGER buyer_states_counted_delete AFTER DELETE ON buyer_states REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_buyer_states();--> statement-breakpoint
CREATE TRIGGER subscriptions_held_insert AFTER INSERT ON subscriptions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_holders('user_id, product_id, id, ended_at IS NULL, ends_at, past_due_since IS NULL, paused_until IS NULL, status = ''trialing''', 'states');--> statement-breakpoint
CREATE TRIGGER subscriptions_held_update AFTER UPDATE ON subscriptions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_holders('user_id, product_id, id, ended_at IS NULL, ends_at, past_due_since IS NULL, paused_until IS NULL, status = ''trialing''', 'states');--> statement-breakpoint
CREATE TRIGGER subscriptions_held_delete AFTER DELETE ON subscriptions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_holders('user_id, product_id, id, ended_at IS NULL, ends_at, past_due_since IS NULL, paused_until IS NULL, status = ''trialing''', 'states');--> statement-breakpoint
CREATE TRIGGER gifts_held_insert AFTER INSERT ON gifts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_holders('redeemed_by AS user_id, product_id', 'states');--> statement-breakpoint
CREATE TRIGGER gifts_held_update AFTER UPDATE ON gifts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_holders('redeemed_by AS user_id, product_id', 'states');--> statement-breakpoint
CREATE TRIGGER gifts_held_delete AFTER DELETE ON gifts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_holders('redeemed_by AS user_id, product_id', 'states');--> statement-breakpoint
CREATE TRIGGER products_held_price AFTER UPDATE OF price_minor ON products FOR EACH ROW WHEN ((OLD.price_minor IS NULL) <> (NEW.price_minor IS NULL)) EXECUTE FUNCTION price_changed_for_buyers();--> statement-breakpoint
DELETE FROM holder_counts WHERE people = 0;--> statement-breakpoint
INSERT INTO buyer_states (creator_id, product_id, user_id, since, state, begins, ends) SELECT creator_id, product_id, user_id, since, state, begins, ends FROM buyer_state_facts;
--> statement-breakpoint
-- The keys are added in one order, so that two statements do not wait for each other. Sums of zero would only accumulate; those that another
-- transaction changes stay, because it deletes them itself.
CREATE FUNCTION count_grants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($q$
    INSERT INTO grant_counts AS c (product_id, source, ends_on, grants)
    SELECT g.product_id, g.source, (coalesce(g.ends_at, 'infinity') AT TIME ZONE 'UTC')::date, sum(g.n)
    FROM (%s) g GROUP BY 1, 2, 3 HAVING sum(g.n) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (product_id, source, ends_on) DO UPDATE SET grants = c.grants + excluded.grants
    $q$, concat_ws(' UNION ALL ',
      CASE WHEN TG_OP <> 'INSERT' THEN 'SELECT *, -1 AS n FROM old_rows' END,
      CASE WHEN TG_OP <> 'DELETE' THEN 'SELECT *, 1 AS n FROM new_rows' END));
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM grant_counts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM grant_counts WHERE grants = 0 AND product_id IN (SELECT product_id FROM old_rows) FOR UPDATE SKIP LOCKED));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER grants_counted_insert AFTER INSERT ON grants REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_grants();--> statement-breakpoint
CREATE TRIGGER grants_counted_update AFTER UPDATE ON grants REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_grants();--> statement-breakpoint
CREATE TRIGGER grants_counted_delete AFTER DELETE ON grants REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_grants();--> statement-breakpoint
INSERT INTO grant_counts (product_id, source, ends_on, grants)
  SELECT product_id, source, (coalesce(ends_at, 'infinity') AT TIME ZONE 'UTC')::date, count(*) FROM grants GROUP BY 1, 2, 3;
