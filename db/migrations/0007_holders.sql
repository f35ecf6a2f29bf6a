CREATE TABLE "holder_counts" (
	"creator_id" bigint NOT NULL,
	"product_id" bigint,
	"is_paid" boolean NOT NULL,
	"ends_on" date NOT NULL,
	"people" integer NOT NULL,
	CONSTRAINT "holder_counts_once" UNIQUE NULLS NOT DISTINCT("creator_id","product_id","is_paid","ends_on")
);
--> statement-breakpoint
CREATE TABLE "holders" (
	"creator_id" bigint NOT NULL,
	"product_id" bigint,
	"user_id" bigint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"paid_since" timestamp with time zone,
	"until" timestamp with time zone,
	"paid_until" timestamp with time zone,
	CONSTRAINT "holders_once" UNIQUE NULLS NOT DISTINCT("creator_id","product_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "holders" ADD CONSTRAINT "holders_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holders" ADD CONSTRAINT "holders_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holders" ADD CONSTRAINT "holders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "holders_of_user" ON "holders" USING btree ("user_id","creator_id");--> statement-breakpoint
CREATE INDEX "holders_since" ON "holders" USING btree ("product_id","since","user_id");--> statement-breakpoint
CREATE INDEX "holders_paid_since" ON "holders" USING btree ("product_id","paid_since","user_id") WHERE "holders"."paid_since" is not null;--> statement-breakpoint
CREATE INDEX "holders_until" ON "holders" USING btree ("creator_id","product_id","until");--> statement-breakpoint
CREATE INDEX "holders_paid_until" ON "holders" USING btree ("creator_id","product_id","paid_until");--> statement-breakpoint
-- Why a person is a holder of a show: their grants, and their payments.
CREATE VIEW holder_reasons AS
  SELECT p.creator_id, r.product_id, r.user_id, r.at, r.until, r.is_paid
  FROM (
    SELECT product_id, user_id, starts_at AS at, coalesce(ends_at, 'infinity') AS until, source <> 'follow' AS is_paid FROM grants
    UNION ALL
    SELECT product_id, user_id, paid_at, NULL, true FROM sales WHERE user_id IS NOT NULL AND product_id IS NOT NULL
  ) r JOIN products p ON p.id = r.product_id;--> statement-breakpoint
-- What `holders` must contain (docs/decisions/0290).
CREATE VIEW holder_facts AS
  SELECT creator_id, product_id, user_id, min(at) AS since, min(at) FILTER (WHERE is_paid) AS paid_since,
    max(until) AS until, max(until) FILTER (WHERE is_paid) AS paid_until
  FROM holder_reasons GROUP BY creator_id, product_id, user_id
  UNION ALL
  SELECT creator_id, NULL, user_id, min(at), min(at) FILTER (WHERE is_paid), max(until), max(until) FILTER (WHERE is_paid)
  FROM holder_reasons GROUP BY creator_id, user_id;--> statement-breakpoint
-- The rows that a statement has inserted, deleted or changed, as a query.
CREATE FUNCTION changed_rows(op text, columns text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE op
    WHEN 'INSERT' THEN format('SELECT %s FROM new_rows', columns)
    WHEN 'DELETE' THEN format('SELECT %s FROM old_rows', columns)
    ELSE format('(SELECT %1$s FROM old_rows EXCEPT SELECT %1$s FROM new_rows) UNION (SELECT %1$s FROM new_rows EXCEPT SELECT %1$s FROM old_rows)', columns)
  END
$$;--> statement-breakpoint
CREATE FUNCTION sync_holders() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners bigint[];
  people bigint[];
BEGIN
  EXECUTE format(
    'SELECT array_agg(DISTINCT p.creator_id), array_agg(DISTINCT r.user_id) FROM (%s) r JOIN products p ON p.id = r.product_id WHERE r.user_id IS NOT NULL',
    changed_rows(TG_OP, TG_ARGV[0])) INTO owners, people;
  IF people IS NULL THEN RETURN NULL; END IF;
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
  RETURN NULL;
END $$;--> statement-breakpoint
-- The keys are added in one order, so that two statements do not wait for each other.
CREATE FUNCTION count_holders() RETURNS trigger LANGUAGE plpgsql AS $$
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
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER holders_counted_insert AFTER INSERT ON holders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_holders();--> statement-breakpoint
CREATE TRIGGER holders_counted_update AFTER UPDATE ON holders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_holders();--> statement-breakpoint
CREATE TRIGGER holders_counted_delete AFTER DELETE ON holders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_holders();--> statement-breakpoint
CREATE TRIGGER grants_held_insert AFTER INSERT ON grants REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_holders('user_id, product_id, starts_at, ends_at, source');--> statement-breakpoint
CREATE TRIGGER grants_held_update AFTER UPDATE ON grants REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_holders('user_id, product_id, starts_at, ends_at, source');--> statement-breakpoint
CREATE TRIGGER grants_held_delete AFTER DELETE ON grants REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_holders('user_id, product_id, starts_at, ends_at, source');--> statement-breakpoint
CREATE TRIGGER sales_held_insert AFTER INSERT ON sales REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_holders('user_id, product_id, paid_at');--> statement-breakpoint
CREATE TRIGGER sales_held_update AFTER UPDATE ON sales REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_holders('user_id, product_id, paid_at');--> statement-breakpoint
CREATE TRIGGER sales_held_delete AFTER DELETE ON sales REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sync_holders('user_id, product_id, paid_at');--> statement-breakpoint
INSERT INTO holders (creator_id, product_id, user_id, since, paid_since, until, paid_until) SELECT * FROM holder_facts;
