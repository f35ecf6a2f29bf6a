CREATE TABLE "episode_minutes" (
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"month" date NOT NULL,
	"listeners" integer DEFAULT 0 NOT NULL,
	"minutes" bigint DEFAULT 0 NOT NULL,
	"heard" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "episode_minutes_creator_id_product_id_episode_id_month_pk" PRIMARY KEY("creator_id","product_id","episode_id","month")
);
--> statement-breakpoint
CREATE TABLE "heard_minutes" (
	"day" date NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"session_id" text NOT NULL,
	"hour" integer NOT NULL,
	"minutes" bigint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"is_start" boolean NOT NULL,
	CONSTRAINT "heard_minutes_day_session_id_episode_id_hour_pk" PRIMARY KEY("day","session_id","episode_id","hour")
) PARTITION BY RANGE ("day");
--> statement-breakpoint
CREATE INDEX "heard_minutes_of_product" ON "heard_minutes" USING btree ("creator_id","product_id","day");--> statement-breakpoint
CREATE OR REPLACE FUNCTION make_listening_partitions(first_day date, months integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  month_start date := date_trunc('month', first_day)::date;
BEGIN
  -- two processes may do this at once
  PERFORM pg_advisory_xact_lock(hashtext('make_listening_partitions'));
  FOR i IN 0..months - 1 LOOP
    FOREACH parent IN ARRAY ARRAY['listens', 'downloads', 'heard_minutes'] LOOP
      EXECUTE format(
        'CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
        parent || to_char(month_start, '_YYYY_MM'), parent, month_start, (month_start + interval '1 month')::date
      );
    END LOOP;
    month_start := (month_start + interval '1 month')::date;
  END LOOP;
END $$;--> statement-breakpoint
SELECT make_listening_partitions((current_date - 31), 4);
