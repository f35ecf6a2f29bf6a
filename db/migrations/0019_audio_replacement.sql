ALTER TABLE "episodes" ADD COLUMN "replacement_key" text;--> statement-breakpoint
ALTER TABLE "episodes" ADD COLUMN "replacement_name" text;--> statement-breakpoint
ALTER TABLE "episodes" ADD COLUMN "replacement_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "episodes_replacement_once" ON "episodes" USING btree ("replacement_key");