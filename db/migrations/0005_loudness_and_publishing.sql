ALTER TABLE "episodes" ADD COLUMN "failure_params" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "episodes" ADD COLUMN "published_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "episodes" ADD COLUMN "loudness_tenths" integer;--> statement-breakpoint
-- A hold without a reason that began after the release time followed a publication.
UPDATE "episodes" SET "published_at" = "release_at" WHERE "status" = 'published' OR ("status" = 'on_hold' AND "held_at" >= "release_at" AND "failure_reason" IS NULL);