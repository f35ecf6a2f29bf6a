ALTER TABLE "clip_versions" ADD COLUMN "enqueued_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "clip_versions" ADD COLUMN "is_foreseen" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "clip_versions_waiting" ON "clip_versions" USING btree ("clip_id","id") WHERE "clip_versions"."status" = 'in_progress';