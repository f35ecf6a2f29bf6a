ALTER TABLE "products" ADD COLUMN "first_publish_seen_at" timestamp with time zone;--> statement-breakpoint
UPDATE "products" SET "first_publish_seen_at" = now() WHERE EXISTS (SELECT FROM "episodes" WHERE "episodes"."product_id" = "products"."id" AND "episodes"."status" = 'published');
