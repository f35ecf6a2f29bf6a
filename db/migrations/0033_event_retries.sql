DROP INDEX "payment_events_waiting";--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "retried_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "payment_events_waiting" ON "payment_events" USING btree ("retried_at" NULLS FIRST,"received_at") WHERE "payment_events"."handled_at" is null;