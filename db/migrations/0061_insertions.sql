CREATE TABLE "campaign_clips" (
	"campaign_id" bigint NOT NULL,
	"clip_id" bigint NOT NULL,
	"rank" integer NOT NULL,
	CONSTRAINT "campaign_clips_campaign_id_clip_id_pk" PRIMARY KEY("campaign_id","clip_id")
);
--> statement-breakpoint
CREATE TABLE "campaign_episodes" (
	"campaign_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	CONSTRAINT "campaign_episodes_campaign_id_episode_id_pk" PRIMARY KEY("campaign_id","episode_id")
);
--> statement-breakpoint
CREATE TABLE "clip_versions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "clip_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"clip_id" bigint NOT NULL,
	"encoding" text NOT NULL,
	"loudness" integer NOT NULL,
	"status" text NOT NULL,
	"failure_reason" text,
	"audio_key" text,
	"audio_bytes" integer,
	"audio_sha256" text,
	"duration_ms" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "clip_versions_status" CHECK ("clip_versions"."status" in ('in_progress', 'ready', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "clips" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "clips_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"name" text NOT NULL,
	"origin" text NOT NULL,
	"upload_key" text,
	"status" text NOT NULL,
	"failure_reason" text,
	"failure_params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"audio_key" text,
	"audio_bytes" integer,
	"duration_ms" integer,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "clips_origin" CHECK ("clips"."origin" in ('upload', 'recording', 'cut', 'promo')),
	CONSTRAINT "clips_status" CHECK ("clips"."status" in ('in_progress', 'ready', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "insertion_campaigns" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "insertion_campaigns_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"is_complete" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"place" text NOT NULL,
	"number" integer NOT NULL,
	"selection" text NOT NULL,
	"selection_day" date,
	"first_day" date,
	"last_day" date,
	"rank" integer NOT NULL,
	"in_public_feed" boolean NOT NULL,
	"in_private_feeds" boolean NOT NULL,
	"in_web_player" boolean NOT NULL,
	"countries" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"silence_before_ms" integer DEFAULT 0 NOT NULL,
	"silence_after_ms" integer DEFAULT 0 NOT NULL,
	"cap" integer,
	"is_paced" boolean DEFAULT false NOT NULL,
	"impressions" integer DEFAULT 0 NOT NULL,
	"reserved" integer DEFAULT 0 NOT NULL,
	"failure_reason" text,
	"ended_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "insertion_campaigns_kind" CHECK ("insertion_campaigns"."kind" in ('campaign', 'promo', 'fallback')),
	CONSTRAINT "insertion_campaigns_place" CHECK ("insertion_campaigns"."place" in ('pre', 'mid', 'post')),
	CONSTRAINT "insertion_campaigns_selection" CHECK ("insertion_campaigns"."selection" in ('all', 'chosen', 'before', 'new')),
	CONSTRAINT "insertion_campaigns_cap" CHECK ("insertion_campaigns"."cap" is null or "insertion_campaigns"."impressions" + "insertion_campaigns"."reserved" <= "insertion_campaigns"."cap")
);
--> statement-breakpoint
CREATE TABLE "insertion_points" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "insertion_points_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"episode_id" bigint NOT NULL,
	"at_ms" integer NOT NULL,
	"origin" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "insertion_points_origin" CHECK ("insertion_points"."origin" in ('creator', 'template', 'proposal'))
);
--> statement-breakpoint
CREATE TABLE "insertion_slots" (
	"product_id" bigint NOT NULL,
	"rule" text NOT NULL,
	CONSTRAINT "insertion_slots_product_id_rule_pk" PRIMARY KEY("product_id","rule"),
	CONSTRAINT "insertion_slots_rule" CHECK ("insertion_slots"."rule" in ('after_intro', 'near_middle', 'before_end'))
);
--> statement-breakpoint
CREATE TABLE "replaced_passages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "replaced_passages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"from_ms" integer NOT NULL,
	"to_ms" integer NOT NULL,
	"clip_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "replaced_passages_order" CHECK ("replaced_passages"."from_ms" < "replaced_passages"."to_ms")
);
--> statement-breakpoint
CREATE TABLE "recommendation_blocks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recommendation_blocks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"blocked_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recommendation_days" (
	"recommendation_id" bigint NOT NULL,
	"day" date NOT NULL,
	"visits" integer DEFAULT 0 NOT NULL,
	"follows" integer DEFAULT 0 NOT NULL,
	"subscriptions" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "recommendation_days_recommendation_id_day_pk" PRIMARY KEY("recommendation_id","day")
);
--> statement-breakpoint
CREATE TABLE "recommendations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recommendations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"product_id" bigint NOT NULL,
	"creator_id" bigint NOT NULL,
	"recommended_id" bigint NOT NULL,
	"recommended_creator_id" bigint NOT NULL,
	"status" text NOT NULL,
	"swap_id" uuid,
	"campaign_id" bigint,
	"first_day" date NOT NULL,
	"last_day" date,
	"is_at_end" boolean NOT NULL,
	"answered_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "recommendations_status" CHECK ("recommendations"."status" in ('requested', 'accepted', 'declined', 'withdrawn', 'ended')),
	CONSTRAINT "recommendations_of_others" CHECK ("recommendations"."product_id" <> "recommendations"."recommended_id")
);
--> statement-breakpoint
CREATE TABLE "impression_days" (
	"campaign_id" bigint NOT NULL,
	"day" date NOT NULL,
	"episode_id" bigint NOT NULL,
	"country" text NOT NULL,
	"app" text NOT NULL,
	"impressions" integer NOT NULL,
	CONSTRAINT "impression_days_campaign_id_day_episode_id_country_app_pk" PRIMARY KEY("campaign_id","day","episode_id","country","app")
);
--> statement-breakpoint
CREATE TABLE "rendition_downloads" (
	"day" date NOT NULL,
	"episode_id" bigint NOT NULL,
	"listener_key" "bytea" NOT NULL,
	"rendition_id" text NOT NULL,
	"began_at" timestamp with time zone NOT NULL,
	"spans" "int8multirange" DEFAULT '{}' NOT NULL,
	"country" text,
	"app" text,
	"counted" integer[] DEFAULT '{}' NOT NULL,
	"reserved_ids" bigint[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "rendition_downloads_day_episode_id_listener_key_pk" PRIMARY KEY("day","episode_id","listener_key")
);
--> statement-breakpoint
CREATE TABLE "renditions" (
	"id" text PRIMARY KEY NOT NULL,
	"episode_id" bigint NOT NULL,
	"audio_key" text NOT NULL,
	"head_hash" text NOT NULL,
	"arrangement" jsonb NOT NULL,
	"arrangement_hash" text NOT NULL,
	"bytes" bigint NOT NULL,
	"head_bytes" integer NOT NULL,
	"duration_ms" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "served_renditions" (
	"episode_id" bigint NOT NULL,
	"door" text NOT NULL,
	"rendition_id" text NOT NULL,
	"bytes" bigint NOT NULL,
	"duration_ms" integer NOT NULL,
	CONSTRAINT "served_renditions_episode_id_door_pk" PRIMARY KEY("episode_id","door")
);
--> statement-breakpoint
ALTER TABLE "campaign_clips" ADD CONSTRAINT "campaign_clips_campaign_id_insertion_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."insertion_campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_clips" ADD CONSTRAINT "campaign_clips_clip_id_clips_id_fk" FOREIGN KEY ("clip_id") REFERENCES "public"."clips"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_episodes" ADD CONSTRAINT "campaign_episodes_campaign_id_insertion_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."insertion_campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_episodes" ADD CONSTRAINT "campaign_episodes_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clip_versions" ADD CONSTRAINT "clip_versions_clip_id_clips_id_fk" FOREIGN KEY ("clip_id") REFERENCES "public"."clips"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clips" ADD CONSTRAINT "clips_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insertion_campaigns" ADD CONSTRAINT "insertion_campaigns_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insertion_campaigns" ADD CONSTRAINT "insertion_campaigns_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insertion_points" ADD CONSTRAINT "insertion_points_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "insertion_slots" ADD CONSTRAINT "insertion_slots_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replaced_passages" ADD CONSTRAINT "replaced_passages_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replaced_passages" ADD CONSTRAINT "replaced_passages_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replaced_passages" ADD CONSTRAINT "replaced_passages_clip_id_clips_id_fk" FOREIGN KEY ("clip_id") REFERENCES "public"."clips"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recommendation_blocks" ADD CONSTRAINT "recommendation_blocks_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recommendation_blocks" ADD CONSTRAINT "recommendation_blocks_blocked_id_creators_id_fk" FOREIGN KEY ("blocked_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recommendation_days" ADD CONSTRAINT "recommendation_days_recommendation_id_recommendations_id_fk" FOREIGN KEY ("recommendation_id") REFERENCES "public"."recommendations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recommendations" ADD CONSTRAINT "recommendations_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recommendations" ADD CONSTRAINT "recommendations_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recommendations" ADD CONSTRAINT "recommendations_recommended_id_products_id_fk" FOREIGN KEY ("recommended_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recommendations" ADD CONSTRAINT "recommendations_recommended_creator_id_creators_id_fk" FOREIGN KEY ("recommended_creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recommendations" ADD CONSTRAINT "recommendations_campaign_id_insertion_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."insertion_campaigns"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "impression_days" ADD CONSTRAINT "impression_days_campaign_id_insertion_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."insertion_campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rendition_downloads" ADD CONSTRAINT "rendition_downloads_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rendition_downloads" ADD CONSTRAINT "rendition_downloads_rendition_id_renditions_id_fk" FOREIGN KEY ("rendition_id") REFERENCES "public"."renditions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renditions" ADD CONSTRAINT "renditions_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "served_renditions" ADD CONSTRAINT "served_renditions_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "served_renditions" ADD CONSTRAINT "served_renditions_rendition_id_renditions_id_fk" FOREIGN KEY ("rendition_id") REFERENCES "public"."renditions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "campaign_clips_of_clip" ON "campaign_clips" USING btree ("clip_id");--> statement-breakpoint
CREATE INDEX "campaign_episodes_of_episode" ON "campaign_episodes" USING btree ("episode_id");--> statement-breakpoint
CREATE UNIQUE INDEX "clip_versions_once" ON "clip_versions" USING btree ("clip_id","encoding","loudness");--> statement-breakpoint
CREATE UNIQUE INDEX "clips_upload_once" ON "clips" USING btree ("upload_key");--> statement-breakpoint
CREATE INDEX "clips_of_creator" ON "clips" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "clips_deleted" ON "clips" USING btree ("deleted_at") WHERE "clips"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "insertion_campaigns_of_product" ON "insertion_campaigns" USING btree ("product_id","id");--> statement-breakpoint
CREATE INDEX "insertion_campaigns_of_creator" ON "insertion_campaigns" USING btree ("creator_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "insertion_points_once" ON "insertion_points" USING btree ("episode_id","at_ms");--> statement-breakpoint
CREATE INDEX "replaced_passages_of_episode" ON "replaced_passages" USING btree ("episode_id","from_ms");--> statement-breakpoint
CREATE INDEX "replaced_passages_of_creator" ON "replaced_passages" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "replaced_passages_of_clip" ON "replaced_passages" USING btree ("clip_id");--> statement-breakpoint
CREATE UNIQUE INDEX "recommendation_blocks_once" ON "recommendation_blocks" USING btree ("creator_id","blocked_id") WHERE "recommendation_blocks"."blocked_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "recommendation_blocks_of_all" ON "recommendation_blocks" USING btree ("creator_id") WHERE "recommendation_blocks"."blocked_id" is null;--> statement-breakpoint
CREATE INDEX "recommendation_blocks_of_blocked" ON "recommendation_blocks" USING btree ("blocked_id");--> statement-breakpoint
CREATE UNIQUE INDEX "recommendations_once" ON "recommendations" USING btree ("product_id","recommended_id") WHERE "recommendations"."status" in ('requested', 'accepted');--> statement-breakpoint
CREATE INDEX "recommendations_of_creator" ON "recommendations" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "recommendations_of_recommended_creator" ON "recommendations" USING btree ("recommended_creator_id","id");--> statement-breakpoint
CREATE INDEX "recommendations_of_recommended" ON "recommendations" USING btree ("recommended_id");--> statement-breakpoint
CREATE INDEX "recommendations_of_campaign" ON "recommendations" USING btree ("campaign_id");--> statement-breakpoint
CREATE INDEX "rendition_downloads_old" ON "rendition_downloads" USING btree ("began_at");--> statement-breakpoint
CREATE INDEX "rendition_downloads_of_rendition" ON "rendition_downloads" USING btree ("rendition_id");--> statement-breakpoint
CREATE UNIQUE INDEX "renditions_once" ON "renditions" USING btree ("episode_id","audio_key","head_hash","arrangement_hash");--> statement-breakpoint
CREATE INDEX "served_renditions_of_rendition" ON "served_renditions" USING btree ("rendition_id");