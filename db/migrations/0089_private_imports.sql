ALTER TABLE "old_feeds" ADD COLUMN "is_private" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "rss_imports" ADD COLUMN "is_private" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "old_feeds" SET "is_private" = true
WHERE EXISTS (SELECT FROM "episodes" e WHERE e."product_id" = "old_feeds"."product_id" AND e."type" = 'private' AND e."deleted_at" IS NULL)
  AND NOT EXISTS (SELECT FROM "episodes" e WHERE e."product_id" = "old_feeds"."product_id" AND e."type" <> 'private' AND e."deleted_at" IS NULL);
