CREATE TABLE "soundbites" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "soundbites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"title" text NOT NULL,
	"start_ms" integer NOT NULL,
	"end_ms" integer NOT NULL,
	"source_key" text NOT NULL,
	"audio_key" text NOT NULL,
	"audio_bytes" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "soundbites_times" CHECK ("soundbites"."start_ms" >= 0 and "soundbites"."end_ms" > "soundbites"."start_ms")
);
--> statement-breakpoint
ALTER TABLE "served_renditions" ADD COLUMN "parts" jsonb;--> statement-breakpoint
ALTER TABLE "soundbites" ADD CONSTRAINT "soundbites_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "soundbites" ADD CONSTRAINT "soundbites_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "soundbites_of_episode" ON "soundbites" USING btree ("episode_id","start_ms","id");--> statement-breakpoint
CREATE INDEX "soundbites_of_creator" ON "soundbites" USING btree ("creator_id");--> statement-breakpoint
CREATE INDEX "soundbites_of_audio" ON "soundbites" USING btree ("audio_key");