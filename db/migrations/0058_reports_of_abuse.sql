CREATE TABLE "abuse_reports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "abuse_reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"target" text NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint,
	"episode_id" bigint,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"reason" text NOT NULL,
	"text" text NOT NULL,
	"user_id" bigint,
	"reporter_name" text,
	"reporter_email" text,
	"language" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"answer" text,
	"decided_by" text,
	"decided_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "abuse_reports_state" CHECK ("abuse_reports"."state" in ('open', 'dismissed', 'upheld')),
	CONSTRAINT "abuse_reports_decided" CHECK (("abuse_reports"."state" = 'open') = ("abuse_reports"."decided_at" is null))
);
--> statement-breakpoint
ALTER TABLE "creators" ADD COLUMN "taken_down_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "abuse_reports_once" ON "abuse_reports" USING btree ("target","reporter_email") WHERE "abuse_reports"."state" = 'open';--> statement-breakpoint
CREATE INDEX "abuse_reports_by_state" ON "abuse_reports" USING btree ("state","created_at");--> statement-breakpoint
CREATE INDEX "abuse_reports_decided_by_age" ON "abuse_reports" USING btree ("decided_at");--> statement-breakpoint
CREATE INDEX "abuse_reports_open_of_creator" ON "abuse_reports" USING btree ("creator_id") WHERE "abuse_reports"."state" = 'open';--> statement-breakpoint
CREATE INDEX "abuse_reports_of_user" ON "abuse_reports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "abuse_reports_of_address" ON "abuse_reports" USING btree ("reporter_email");