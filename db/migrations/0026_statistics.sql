CREATE TABLE "daily_listeners" (
	"day" date NOT NULL,
	"product_id" bigint NOT NULL,
	"listener_key" "bytea" NOT NULL,
	CONSTRAINT "daily_listeners_day_product_id_listener_key_pk" PRIMARY KEY("day","product_id","listener_key")
);
--> statement-breakpoint
CREATE TABLE "episode_months" (
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"month" date NOT NULL,
	"listens" integer DEFAULT 0 NOT NULL,
	"downloads" integer DEFAULT 0 NOT NULL,
	"hours" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"dimensions" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "episode_months_creator_id_product_id_episode_id_month_pk" PRIMARY KEY("creator_id","product_id","episode_id","month")
);
--> statement-breakpoint
CREATE TABLE "machine_days" (
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"day" date NOT NULL,
	"requests" integer DEFAULT 0 NOT NULL,
	"reasons" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"agents" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "machine_days_creator_id_product_id_day_pk" PRIMARY KEY("creator_id","product_id","day")
);
--> statement-breakpoint
CREATE TABLE "statistics_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "statistics_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"day" date NOT NULL,
	"reason" text NOT NULL,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"listens" integer NOT NULL,
	"downloads" integer NOT NULL,
	CONSTRAINT "statistics_changes_reason" CHECK ("statistics_changes"."reason" in ('machines', 'recount'))
);
--> statement-breakpoint
CREATE TABLE "statistics_recounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "statistics_recounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"product_id" bigint,
	"done_product_id" bigint DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "downloads" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "downloads" ADD COLUMN "region" text;--> statement-breakpoint
ALTER TABLE "downloads" ADD COLUMN "app" text;--> statement-breakpoint
ALTER TABLE "downloads" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "downloads" ADD COLUMN "os" text;--> statement-breakpoint
ALTER TABLE "downloads" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "downloads" ADD COLUMN "referrer" text;--> statement-breakpoint
ALTER TABLE "listening_days" ADD COLUMN "listeners" integer;--> statement-breakpoint
ALTER TABLE "listening_days" ADD COLUMN "slots" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "listening_days" ADD COLUMN "dimensions" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "listening_days" ADD COLUMN "pairs" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "listens" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "listens" ADD COLUMN "region" text;--> statement-breakpoint
ALTER TABLE "listens" ADD COLUMN "app" text;--> statement-breakpoint
ALTER TABLE "listens" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "listens" ADD COLUMN "os" text;--> statement-breakpoint
ALTER TABLE "listens" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "listens" ADD COLUMN "referrer" text;--> statement-breakpoint
CREATE INDEX "statistics_changes_of_product" ON "statistics_changes" USING btree ("creator_id","product_id","day");--> statement-breakpoint
CREATE UNIQUE INDEX "statistics_recounts_open" ON "statistics_recounts" USING btree ("from_day","to_day",coalesce("product_id", 0)) WHERE "statistics_recounts"."finished_at" is null;--> statement-breakpoint
-- Adds numbers by key. Keys beyond `most` become `other`, the largest numbers first, because clients can invent values.
CREATE FUNCTION add_numbers(a jsonb, b jsonb, most integer) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  known jsonb := CASE WHEN jsonb_typeof(a) = 'object' THEN a ELSE '{}' END;
  room integer;
BEGIN
  IF most IS NOT NULL THEN
    SELECT most - count(*) INTO room FROM jsonb_object_keys(known);
  END IF;
  RETURN (
    SELECT known || jsonb_object_agg(added.key, added.number + coalesce((known ->> added.key)::bigint, 0))
    FROM (
      SELECT CASE WHEN n.is_known OR room IS NULL OR n.place <= room THEN n.key ELSE 'other' END AS key, sum(n.number) AS number
      FROM (
        SELECT each.key, each.value::bigint AS number, known ? each.key AS is_known,
          row_number() OVER (PARTITION BY known ? each.key ORDER BY each.value::bigint DESC, each.key) AS place
        FROM jsonb_each_text(b) each
      ) n
      GROUP BY 1
    ) added
  );
END $$;--> statement-breakpoint
-- Adds two maps of numbers, or of maps of numbers. `most`: how many keys a map may have, as a number or by its name.
CREATE FUNCTION add_counts(a jsonb, b jsonb, most jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  result jsonb := CASE WHEN jsonb_typeof(a) = 'object' THEN a ELSE '{}' END;
  name text;
  part jsonb;
BEGIN
  IF b IS NULL OR b = '{}' THEN
    RETURN result;
  END IF;
  IF jsonb_typeof(jsonb_path_query_first(b, '$.*')) = 'number' THEN
    RETURN add_numbers(result, b, CASE WHEN jsonb_typeof(most) = 'number' THEN most::integer END);
  END IF;
  FOR name, part IN SELECT * FROM jsonb_each(b) LOOP
    IF part <> '{}' THEN
      result := result || jsonb_build_object(name, add_numbers(result -> name, part, (most ->> name)::integer));
    END IF;
  END LOOP;
  RETURN result;
END $$;
