ALTER TABLE "contact_consents" DROP CONSTRAINT "contact_consents_contact_id_contacts_id_fk";
--> statement-breakpoint
ALTER TABLE "contact_sources" DROP CONSTRAINT "contact_sources_contact_id_contacts_id_fk";
--> statement-breakpoint
-- As an array, so that both tables are read by their keys: a join is planned for the number of contacts that the first deletion of a session had.
CREATE FUNCTION delete_rows_of_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_sources WHERE contact_id = ANY (ARRAY(SELECT id FROM gone));
  DELETE FROM contact_consents WHERE contact_id = ANY (ARRAY(SELECT id FROM gone));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER contacts_gone AFTER DELETE ON contacts REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_rows_of_contacts();
