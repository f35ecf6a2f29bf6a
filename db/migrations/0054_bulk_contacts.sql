ALTER TABLE "contact_import_rows" DROP CONSTRAINT "contact_import_rows_import_id_contact_imports_id_fk";
--> statement-breakpoint
DROP INDEX "contacts_of_user";--> statement-breakpoint
CREATE INDEX "contacts_of_user" ON "contacts" USING btree ("user_id") WHERE "contacts"."user_id" is not null;