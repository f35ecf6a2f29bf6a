CREATE TABLE "suggestion_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "suggestion_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"transcript_at" timestamp with time zone NOT NULL,
	"audio_key" text,
	"result" jsonb,
	"day" date NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "suggestion_runs_status" CHECK ("suggestion_runs"."status" in ('running', 'done', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "episodes" ADD COLUMN "ai_content" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "suggestion_runs" ADD CONSTRAINT "suggestion_runs_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestion_runs" ADD CONSTRAINT "suggestion_runs_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "suggestion_runs_once" ON "suggestion_runs" USING btree ("episode_id") WHERE "suggestion_runs"."status" = 'running';--> statement-breakpoint
CREATE INDEX "suggestion_runs_of_episode" ON "suggestion_runs" USING btree ("episode_id","id");--> statement-breakpoint
CREATE INDEX "suggestion_runs_of_day" ON "suggestion_runs" USING btree ("creator_id","day");