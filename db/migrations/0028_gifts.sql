ALTER TABLE "gifts" ADD COLUMN "recipient_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "gifts" ADD COLUMN "recipient_email" text;--> statement-breakpoint
ALTER TABLE "gifts" ADD COLUMN "access_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "gifts" ADD COLUMN "access_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "gifts" ADD COLUMN "end_reported_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "gifts_ending" ON "gifts" USING btree ("access_until") WHERE "gifts"."access_until" is not null and "gifts"."end_reported_at" is null and "gifts"."cancelled_at" is null;