ALTER TABLE "tracking_consents" ADD COLUMN "creator_id" bigint;--> statement-breakpoint
CREATE INDEX "tracking_consents_unseen" ON "tracking_consents" USING btree ("creator_id",coalesce("last_seen_on", '-infinity'::date),"contact_id","given_at") WHERE "tracking_consents"."withdrawn_at" is null;--> statement-breakpoint
-- In the database, because the former release and restored rows name no creator. A contact stays with its creator.
CREATE FUNCTION set_creator_of_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.creator_id := (SELECT creator_id FROM contacts WHERE id = NEW.contact_id);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER tracking_consents_of_creator BEFORE INSERT ON tracking_consents FOR EACH ROW EXECUTE FUNCTION set_creator_of_consent();--> statement-breakpoint
UPDATE tracking_consents t SET creator_id = c.creator_id FROM contacts c WHERE c.id = t.contact_id;
