ALTER TABLE "contact_import_problems" ADD COLUMN "row" jsonb;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "undated" integer DEFAULT 0 NOT NULL;