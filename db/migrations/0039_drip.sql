ALTER TABLE "grants" ADD COLUMN "drips_from" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
UPDATE "grants" SET "drips_from" = "starts_at";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "drip_days" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "episodes_in_drip" ON "episodes" USING btree ("product_id","release_at","id") WHERE "episodes"."status" = 'published' and "episodes"."type" = 'private' and "episodes"."deleted_at" is null;