CREATE TABLE "text_timings" (
	"episode_id" bigint PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"cues" jsonb NOT NULL,
	"language" text NOT NULL,
	"file_name" text NOT NULL,
	"audio_key" text NOT NULL,
	"former" timestamp with time zone,
	"percent" integer DEFAULT 0 NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"alive_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	CONSTRAINT "text_timings_status" CHECK ("text_timings"."status" in ('running', 'failed')),
	CONSTRAINT "text_timings_percent" CHECK ("text_timings"."percent" between 0 and 100)
);
--> statement-breakpoint
ALTER TABLE "text_timings" ADD CONSTRAINT "text_timings_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "text_timings" ADD CONSTRAINT "text_timings_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "text_timings_of_creator" ON "text_timings" USING btree ("creator_id");