ALTER TABLE "creators" ALTER COLUMN "show_newsletter" SET DEFAULT false;--> statement-breakpoint
-- The form was on by default: creators whose list is empty have not used it.
UPDATE "creators" SET "show_newsletter" = false WHERE NOT EXISTS (SELECT FROM "contacts" WHERE "contacts"."creator_id" = "creators"."id");
