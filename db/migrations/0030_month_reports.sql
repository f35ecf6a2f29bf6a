CREATE TABLE "month_reports" (
	"creator_id" bigint NOT NULL,
	"month" text NOT NULL,
	"queued_at" timestamp with time zone NOT NULL,
	"done_at" timestamp with time zone,
	CONSTRAINT "month_reports_creator_id_month_pk" PRIMARY KEY("creator_id","month")
);
--> statement-breakpoint
ALTER TABLE "month_reports" ADD CONSTRAINT "month_reports_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "month_reports_by_age" ON "month_reports" USING btree ("queued_at");