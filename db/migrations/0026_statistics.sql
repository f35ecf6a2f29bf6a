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
-- What is no number, as in a damaged backup, must not stop the counting of other shows.
CREATE FUNCTION number_of(value jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN jsonb_typeof(value) = 'number' THEN value::numeric ELSE 0 END
$$;--> statement-breakpoint
-- Adds many numbers by key at once. Keys beyond `most` become `other`, the largest numbers first.
CREATE FUNCTION add_numbers(a jsonb, b jsonb, most integer) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  known jsonb := CASE WHEN jsonb_typeof(a) = 'object' THEN a ELSE '{}' END;
  room integer;
BEGIN
  IF most IS NOT NULL THEN
    SELECT most - count(*) INTO room FROM jsonb_object_keys(known);
  END IF;
  RETURN (
    SELECT known || jsonb_object_agg(added.key, added.number + number_of(known -> added.key))
    FROM (
      SELECT CASE WHEN n.is_known OR room IS NULL OR n.place <= room THEN n.key ELSE 'other' END AS key, sum(n.number) AS number
      FROM (
        SELECT each.key, each.value::numeric AS number, known ? each.key AS is_known,
          row_number() OVER (PARTITION BY known ? each.key ORDER BY each.value::numeric DESC, each.key) AS place
        FROM jsonb_each_text(b) each
      ) n
      GROUP BY 1
    ) added
  );
END $$;--> statement-breakpoint
-- Adds two maps of numbers by their names, as in `{"country": {"ES": 2}}`. `most`: how many keys a map may have, by its
-- name; others are counted as `other`, because clients can invent values.
CREATE FUNCTION add_counts(a jsonb, b jsonb, most jsonb DEFAULT '{}') RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  result jsonb := CASE WHEN jsonb_typeof(a) = 'object' THEN a ELSE '{}' END;
  part record;
  known jsonb;
BEGIN
  -- most events are alone in their row: expressions are a tenth of a query. A map with more keys than a limit is larger
  FOR part IN
    SELECT map.key AS name, number.key, number.value::numeric AS number
    FROM jsonb_each(b) map, jsonb_each_text(map.value) number
    WHERE pg_column_size(map.value) <= 500
    ORDER BY 1, 3 DESC, 2
  LOOP
    known := result -> part.name;
    IF known IS NULL OR jsonb_typeof(known) <> 'object' THEN
      result := result || jsonb_build_object(part.name, jsonb_build_object(part.key, part.number));
    ELSE
      IF NOT known ? part.key AND most ? part.name
        AND jsonb_array_length(jsonb_path_query_array(known, '$.keyvalue().key')) >= (most ->> part.name)::integer THEN
        part.key := 'other';
      END IF;
      result := jsonb_set(result, ARRAY[part.name, part.key], to_jsonb(part.number + number_of(known -> part.key)));
    END IF;
  END LOOP;
  IF pg_column_size(b) > 500 THEN
    FOR part IN SELECT map.key AS name, map.value FROM jsonb_each(b) map WHERE pg_column_size(map.value) > 500 LOOP
      result := result || jsonb_build_object(part.name, add_numbers(result -> part.name, part.value, (most ->> part.name)::integer));
    END LOOP;
  END IF;
  RETURN result;
END $$;
