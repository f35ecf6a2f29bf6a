ALTER TABLE "episodes" ADD COLUMN "early_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "early_access_days" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "episodes_early" ON "episodes" USING btree ("early_until") WHERE "episodes"."early_until" is not null;