ALTER TABLE "sales" ADD COLUMN "provider_fee_currency" text;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "available_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "reconciliations" ADD COLUMN "healed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- A payment whose dispute was won can be refunded again.
UPDATE "sales" s SET "disputed_at" = NULL WHERE s."disputed_at" IS NOT NULL
  AND EXISTS (SELECT FROM "disputes" d WHERE d."sale_id" = s."id" AND d."status" = 'won')
  AND NOT EXISTS (SELECT FROM "disputes" d WHERE d."sale_id" = s."id" AND d."status" IN ('needs_answer', 'under_review', 'lost'));
