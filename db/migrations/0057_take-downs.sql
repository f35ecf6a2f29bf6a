ALTER TABLE "episodes" ADD COLUMN "taken_down_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "episodes" ADD COLUMN "take_down" jsonb;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "taken_down_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "take_down" jsonb;--> statement-breakpoint
CREATE INDEX "episodes_taken_down" ON "episodes" USING btree ("taken_down_at") WHERE "episodes"."taken_down_at" is not null;--> statement-breakpoint
CREATE INDEX "products_taken_down" ON "products" USING btree ("taken_down_at") WHERE "products"."taken_down_at" is not null;