ALTER TABLE "sales" ADD COLUMN "provider_fee_currency" text;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "available_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "reconciliations" ADD COLUMN "healed" integer DEFAULT 0 NOT NULL;