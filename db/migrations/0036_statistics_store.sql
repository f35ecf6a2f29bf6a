CREATE TABLE "play_outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "play_outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"batch" bigint,
	"measure" text NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"country" text,
	"region" text,
	"app" text,
	"device" text,
	"os" text,
	"source" text,
	"referrer" text
);
--> statement-breakpoint
ALTER TABLE "listening_days" ADD COLUMN "elsewhere" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "play_outbox_batches" ON "play_outbox" USING btree ("batch") WHERE "play_outbox"."batch" is not null;