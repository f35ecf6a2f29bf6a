ALTER TABLE "products" ADD COLUMN "measurement_prefixes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "shows_plays" boolean DEFAULT false NOT NULL;