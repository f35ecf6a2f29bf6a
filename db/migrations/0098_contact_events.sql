-- A file or a call can write many contacts in one statement: whether their creator wants the event is looked up once for all of them.
CREATE FUNCTION note_contact_events(of_type text, of_creators bigint[], of_contacts bigint[]) RETURNS void LANGUAGE sql AS $$
  -- an endpoint that is being deleted is waited for, as in note_webhook_event
  WITH wanting AS (
    SELECT e.id, e.creator_id FROM webhook_endpoints e
    WHERE e.creator_id = ANY (SELECT DISTINCT unnest(of_creators)) AND e.disabled_at IS NULL AND (e.events IS NULL OR of_type = ANY (e.events))
    ORDER BY e.id FOR KEY SHARE
  ), noted AS (
    INSERT INTO webhook_events (creator_id, type, data)
    SELECT c.creator_id, of_type, jsonb_build_object('id', c.id) FROM unnest(of_creators, of_contacts) AS c (creator_id, id)
    WHERE c.creator_id IN (SELECT creator_id FROM wanting) ORDER BY c.id
    RETURNING id, creator_id, data ->> 'id' AS contact
  )
  INSERT INTO webhook_deliveries (endpoint_id, event_id, object)
  SELECT wanting.id, noted.id, 'contact:' || noted.contact FROM noted JOIN wanting USING (creator_id) ORDER BY noted.id, wanting.id
$$;--> statement-breakpoint
CREATE FUNCTION webhook_events_of_new_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  creators bigint[];
  ids bigint[];
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_endpoints e WHERE e.creator_id IN (SELECT creator_id FROM added) AND e.disabled_at IS NULL) THEN RETURN NULL; END IF;
  SELECT array_agg(creator_id), array_agg(id) INTO creators, ids FROM added WHERE status = 'active';
  IF ids IS NOT NULL THEN PERFORM note_contact_events('contact.created', creators, ids); END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION webhook_events_of_changed_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  found record;
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_endpoints e WHERE e.creator_id IN (SELECT creator_id FROM changed) AND e.disabled_at IS NULL) THEN RETURN NULL; END IF;
  -- one contact can have several events, in this order
  FOR found IN
    SELECT type, array_agg(creator_id) AS creators, array_agg(id) AS ids FROM (
      SELECT changed.id, changed.creator_id, unnest(array_remove(ARRAY[
        CASE WHEN former.status = 'pending' AND changed.status = 'active' THEN 'contact.created' END,
        CASE WHEN former.status = 'active' AND changed.status = 'inactive' AND changed.inactive_as IS DISTINCT FROM 'bounced' THEN 'contact.unsubscribed' END,
        CASE WHEN former.status <> 'pending' AND (
          (former.name, former.email, former.language) IS DISTINCT FROM (changed.name, changed.email, changed.language)
          OR (former.status = 'inactive' AND changed.status = 'active')
          OR (former.status = 'active' AND changed.inactive_as = 'bounced')) THEN 'contact.updated' END], NULL)) AS type
      FROM changed JOIN former USING (id)) events
    GROUP BY type ORDER BY array_position(ARRAY['contact.created', 'contact.unsubscribed', 'contact.updated'], type)
  LOOP
    PERFORM note_contact_events(found.type, found.creators, found.ids);
  END LOOP;
  RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER webhooks_inserted_created ON contacts;--> statement-breakpoint
DROP TRIGGER webhooks_created ON contacts;--> statement-breakpoint
DROP TRIGGER webhooks_unsubscribed ON contacts;--> statement-breakpoint
DROP TRIGGER webhooks_updated ON contacts;--> statement-breakpoint
CREATE TRIGGER webhooks_added AFTER INSERT ON contacts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION webhook_events_of_new_contacts();--> statement-breakpoint
CREATE TRIGGER webhooks_changed AFTER UPDATE ON contacts REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION webhook_events_of_changed_contacts();
