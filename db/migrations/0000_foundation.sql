CREATE TABLE "email_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"country" text NOT NULL,
	"language" text NOT NULL,
	"currency" text NOT NULL,
	"birth_date" date,
	"avatar_key" text,
	"email_verified_at" timestamp with time zone,
	"terms_accepted_at" timestamp with time zone NOT NULL,
	"marketing_consented_at" timestamp with time zone,
	"plan_banner_hidden_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "creators" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "creators_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"name" text NOT NULL,
	"domain" text NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"button_color" text,
	"text_color" text,
	"about_title" text,
	"about_text" text,
	"avatar_key" text,
	"version" integer DEFAULT 1 NOT NULL,
	"claimed_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "domains" (
	"domain" text PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"claimed_at" timestamp with time zone NOT NULL,
	"retired_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "episodes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "episodes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text NOT NULL,
	"private_note" text DEFAULT '' NOT NULL,
	"cover_key" text,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"failure_reason" text,
	"release_at" timestamp with time zone,
	"send_email" boolean DEFAULT true NOT NULL,
	"season" integer,
	"number" integer,
	"explicit" boolean DEFAULT false NOT NULL,
	"guid" text NOT NULL,
	"upload_key" text NOT NULL,
	"file_name" text NOT NULL,
	"audio_key" text,
	"audio_bytes" bigint,
	"audio_sha256" text,
	"duration_ms" integer,
	"bitrate" integer,
	"sample_rate" integer,
	"channels" integer,
	"head_bytes" integer,
	"audio_warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "episodes_type" CHECK ("episodes"."type" in ('public', 'trailer', 'private')),
	CONSTRAINT "episodes_status" CHECK ("episodes"."status" in ('in_progress', 'failed', 'scheduled', 'published', 'on_hold')),
	CONSTRAINT "episodes_published_has_audio" CHECK ("episodes"."status" not in ('published', 'scheduled') or "episodes"."audio_key" is not null),
	CONSTRAINT "episodes_published_has_time" CHECK ("episodes"."status" not in ('published', 'scheduled') or "episodes"."release_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "former_episode_slugs" (
	"product_id" bigint NOT NULL,
	"slug" text NOT NULL,
	"episode_id" bigint NOT NULL,
	CONSTRAINT "former_episode_slugs_product_id_slug_pk" PRIMARY KEY("product_id","slug")
);
--> statement-breakpoint
CREATE TABLE "daily_salts" (
	"day" date PRIMARY KEY NOT NULL,
	"salt" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "downloads" (
	"day" date NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"listener_key" "bytea" NOT NULL,
	"user_agent" text NOT NULL,
	"spans" "int8multirange" NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"counted_at" timestamp with time zone,
	CONSTRAINT "downloads_day_episode_id_listener_key_pk" PRIMARY KEY("day","episode_id","listener_key")
) PARTITION BY RANGE ("day");
--> statement-breakpoint
CREATE TABLE "episode_totals" (
	"episode_id" bigint PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"listens" bigint DEFAULT 0 NOT NULL,
	"downloads" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listening_days" (
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"day" date NOT NULL,
	"listens" integer DEFAULT 0 NOT NULL,
	"downloads" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "listening_days_creator_id_product_id_day_pk" PRIMARY KEY("creator_id","product_id","day")
);
--> statement-breakpoint
CREATE TABLE "listens" (
	"day" date NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"session_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "listens_day_session_id_episode_id_pk" PRIMARY KEY("day","session_id","episode_id")
) PARTITION BY RANGE ("day");
--> statement-breakpoint
CREATE TABLE "uploads" (
	"key" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"file_name" text NOT NULL,
	"content_type" text NOT NULL,
	"byte_size" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" bigint,
	"to" text NOT NULL,
	"topic" text NOT NULL,
	"language" text NOT NULL,
	"subject" text NOT NULL,
	"html" text NOT NULL,
	"text" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "milestones" (
	"name" text PRIMARY KEY NOT NULL,
	"reached_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "former_product_slugs" (
	"creator_id" bigint NOT NULL,
	"slug" text NOT NULL,
	"product_id" bigint NOT NULL,
	CONSTRAINT "former_product_slugs_creator_id_slug_pk" PRIMARY KEY("creator_id","slug")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "products_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text NOT NULL,
	"category" integer NOT NULL,
	"language" text NOT NULL,
	"cover_key" text NOT NULL,
	"price_minor" integer,
	"annual_price_minor" integer,
	"currency" text NOT NULL,
	"welcome_message" text DEFAULT '' NOT NULL,
	"subscriber_email_message" text DEFAULT '' NOT NULL,
	"hide_subscribe_button" boolean DEFAULT false NOT NULL,
	"explicit" boolean DEFAULT false NOT NULL,
	"feed_guid" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_kind" CHECK ("products"."kind" in ('podcast', 'audio_series')),
	CONSTRAINT "products_annual_price" CHECK ("products"."annual_price_minor" is null or "products"."kind" = 'podcast'),
	CONSTRAINT "products_price_positive" CHECK ("products"."price_minor" > 0 and "products"."annual_price_minor" > 0)
);
--> statement-breakpoint
ALTER TABLE "email_tokens" ADD CONSTRAINT "email_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creators" ADD CONSTRAINT "creators_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_episode_slugs" ADD CONSTRAINT "former_episode_slugs_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_product_slugs" ADD CONSTRAINT "former_product_slugs_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_tokens_of_user" ON "email_tokens" USING btree ("user_id","purpose");--> statement-breakpoint
CREATE INDEX "sessions_of_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_once" ON "users" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "creators_one_per_user" ON "creators" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "creators_domain_once" ON "creators" USING btree ("domain");--> statement-breakpoint
CREATE INDEX "domains_of_creator" ON "domains" USING btree ("creator_id");--> statement-breakpoint
CREATE UNIQUE INDEX "episodes_slug_once" ON "episodes" USING btree ("product_id","slug");--> statement-breakpoint
CREATE UNIQUE INDEX "episodes_guid_once" ON "episodes" USING btree ("product_id","guid");--> statement-breakpoint
CREATE UNIQUE INDEX "episodes_upload_once" ON "episodes" USING btree ("upload_key");--> statement-breakpoint
CREATE INDEX "episodes_in_play_order" ON "episodes" USING btree ("product_id","status","release_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "episodes_of_creator" ON "episodes" USING btree ("creator_id","created_at");--> statement-breakpoint
CREATE INDEX "former_episode_slugs_of_episode" ON "former_episode_slugs" USING btree ("episode_id");--> statement-breakpoint
CREATE INDEX "downloads_of_creator" ON "downloads" USING btree ("creator_id","day");--> statement-breakpoint
CREATE INDEX "listens_of_creator" ON "listens" USING btree ("creator_id","day");--> statement-breakpoint
CREATE INDEX "uploads_of_user" ON "uploads" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "uploads_expiry" ON "uploads" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "outbox_by_age" ON "outbox" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "former_product_slugs_of_product" ON "former_product_slugs" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "products_slug_once" ON "products" USING btree ("creator_id","slug") WHERE "products"."retired_at" is null;--> statement-breakpoint
CREATE INDEX "products_of_creator" ON "products" USING btree ("creator_id","created_at");--> statement-breakpoint
-- Monthly partitions of the event tables, made ahead: an insert without its partition would fail.
CREATE FUNCTION make_listening_partitions(first_day date, months integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  month_start date := date_trunc('month', first_day)::date;
BEGIN
  -- two processes may do this at once
  PERFORM pg_advisory_xact_lock(hashtext('make_listening_partitions'));
  FOR i IN 0..months - 1 LOOP
    FOREACH parent IN ARRAY ARRAY['listens', 'downloads'] LOOP
      EXECUTE format(
        'CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
        parent || to_char(month_start, '_YYYY_MM'), parent, month_start, (month_start + interval '1 month')::date
      );
    END LOOP;
    month_start := (month_start + interval '1 month')::date;
  END LOOP;
END $$;--> statement-breakpoint
SELECT make_listening_partitions((current_date - 31), 4);
