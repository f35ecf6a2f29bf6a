CREATE TABLE "dmarc_reports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dmarc_reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"domain" text NOT NULL,
	"org" text NOT NULL,
	"report_id" text NOT NULL,
	"begins_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"messages" bigint NOT NULL,
	"passed" bigint NOT NULL,
	"dkim_passed" bigint NOT NULL,
	"spf_passed" bigint NOT NULL,
	"sources" jsonb NOT NULL,
	"other_sources" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_report_tokens" (
	"token" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "dmarc_reports_once" ON "dmarc_reports" USING btree ("domain","org","report_id");--> statement-breakpoint
CREATE INDEX "dmarc_reports_of_domain" ON "dmarc_reports" USING btree ("domain","ends_at");--> statement-breakpoint
CREATE INDEX "dmarc_reports_age" ON "dmarc_reports" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mail_report_tokens_age" ON "mail_report_tokens" USING btree ("created_at");