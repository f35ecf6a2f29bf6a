CREATE TABLE "transcription_pieces" (
	"run_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"from_frame" integer NOT NULL,
	"to_frame" integer NOT NULL,
	"times" jsonb NOT NULL,
	"remote_order" text,
	"heard" jsonb,
	"heard_at" timestamp with time zone,
	CONSTRAINT "transcription_pieces_run_id_position_pk" PRIMARY KEY("run_id","position")
);
--> statement-breakpoint
CREATE TABLE "transcription_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "transcription_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"episode_id" bigint,
	"status" text NOT NULL,
	"reason" text,
	"language" text,
	"audio_key" text NOT NULL,
	"former" timestamp with time zone,
	"month" date NOT NULL,
	"minutes" integer NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"alive_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "transcription_runs_status" CHECK ("transcription_runs"."status" in ('running', 'done', 'waiting', 'failed', 'cancelled')),
	CONSTRAINT "transcription_runs_minutes" CHECK ("transcription_runs"."minutes" >= 0)
);
--> statement-breakpoint
ALTER TABLE "transcription_pieces" ADD CONSTRAINT "transcription_pieces_run_id_transcription_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."transcription_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcription_runs" ADD CONSTRAINT "transcription_runs_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcription_runs" ADD CONSTRAINT "transcription_runs_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "transcription_runs_once" ON "transcription_runs" USING btree ("episode_id") WHERE "transcription_runs"."status" = 'running';--> statement-breakpoint
CREATE INDEX "transcription_runs_of_month" ON "transcription_runs" USING btree ("creator_id","month");--> statement-breakpoint
CREATE INDEX "transcription_runs_of_episode" ON "transcription_runs" USING btree ("episode_id","id");--> statement-breakpoint
CREATE INDEX "transcription_runs_running" ON "transcription_runs" USING btree ("alive_at") WHERE "transcription_runs"."status" = 'running';