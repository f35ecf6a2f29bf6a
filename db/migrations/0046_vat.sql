CREATE TABLE "vat_number_checks" (
	"number" text PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"name" text,
	"request_id" text,
	"checked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "ip_country" text;--> statement-breakpoint
CREATE INDEX "vat_number_checks_waiting" ON "vat_number_checks" USING btree ("updated_at") WHERE "vat_number_checks"."status" = 'unknown';