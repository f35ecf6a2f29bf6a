CREATE TABLE "audio_fetches" (
	"episode_id" bigint PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"upload_key" text NOT NULL,
	"url" text NOT NULL,
	"host" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"step" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"leased_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audio_fetches" ADD CONSTRAINT "audio_fetches_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audio_fetches" ADD CONSTRAINT "audio_fetches_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audio_fetches" ADD CONSTRAINT "audio_fetches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "audio_fetches_upload_once" ON "audio_fetches" USING btree ("upload_key");--> statement-breakpoint
CREATE INDEX "audio_fetches_of_creator" ON "audio_fetches" USING btree ("creator_id","due_at");--> statement-breakpoint
CREATE INDEX "audio_fetches_leased" ON "audio_fetches" USING btree ("leased_until");