CREATE TABLE "webhook_attempts" (
	"delivery_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ms" integer NOT NULL,
	"status" integer,
	"failure" text,
	"answer" text NOT NULL,
	CONSTRAINT "webhook_attempts_delivery_id_number_pk" PRIMARY KEY("delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"endpoint_id" uuid NOT NULL,
	"event_id" bigint NOT NULL,
	"object" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT to_timestamp(0) NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "webhook_deliveries_state" CHECK ("webhook_deliveries"."state" in ('waiting', 'delivered', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"url" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"events" text[],
	"sealed_secret" text NOT NULL,
	"former_secret" text,
	"former_until" timestamp with time zone,
	"disabled_at" timestamp with time zone,
	"disabled_for" text,
	"failing_since" timestamp with time zone,
	"created_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_kind" CHECK ("webhook_endpoints"."kind" in ('webhook', 'slack', 'discord')),
	CONSTRAINT "webhook_endpoints_disabled_for" CHECK ("webhook_endpoints"."disabled_for" in ('owner', 'gone', 'failing')),
	CONSTRAINT "webhook_endpoints_disabled" CHECK (("webhook_endpoints"."disabled_at" is null) = ("webhook_endpoints"."disabled_for" is null))
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"message_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"creator_id" bigint NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"happened_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_milestones" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"reached" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_webhook_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_milestones" ADD CONSTRAINT "webhook_milestones_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("endpoint_id","due_at","id") WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_first" ON "webhook_deliveries" USING btree ("due_at") WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_in_order" ON "webhook_deliveries" USING btree ("endpoint_id","object","id") WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_log" ON "webhook_deliveries" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_event" ON "webhook_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_of_creator" ON "webhook_endpoints" USING btree ("creator_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_events_message_once" ON "webhook_events" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "webhook_events_of_creator" ON "webhook_events" USING btree ("creator_id");--> statement-breakpoint
CREATE INDEX "webhook_events_by_age" ON "webhook_events" USING btree ("happened_at");--> statement-breakpoint
CREATE INDEX "webhook_milestones_of_creator" ON "webhook_milestones" USING btree ("creator_id");
--> statement-breakpoint
-- Writes an event, and a delivery for each endpoint that wants to know it. Creators without such an endpoint cost one look into an index.
CREATE FUNCTION note_webhook_event(of_creator bigint, of_type text, of_object text, of_data jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event bigint;
BEGIN
  INSERT INTO webhook_events (creator_id, type, data) VALUES (of_creator, of_type, of_data) RETURNING id INTO event;
  -- an endpoint that is being deleted is waited for: its foreign key would refuse the delivery, and with it the fact
  INSERT INTO webhook_deliveries (endpoint_id, event_id, object)
  SELECT e.id, event, of_object FROM webhook_endpoints e
  WHERE e.creator_id = of_creator AND e.disabled_at IS NULL AND (e.events IS NULL OR of_type = ANY (e.events))
  ORDER BY e.id FOR KEY SHARE;
END $$;--> statement-breakpoint
CREATE FUNCTION wants_webhook_event(of_creator bigint, of_type text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM webhook_endpoints e
    WHERE e.creator_id = of_creator AND e.disabled_at IS NULL AND (e.events IS NULL OR of_type = ANY (e.events)))
$$;--> statement-breakpoint
-- The arguments of a trigger: the event's name, and each field of its data with its column. The first one is the object's id.
CREATE FUNCTION webhook_event_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_row jsonb;
  data jsonb := '{}';
  field text;
BEGIN
  IF NOT wants_webhook_event(NEW.creator_id, TG_ARGV[0]) THEN RETURN NULL; END IF;
  of_row := to_jsonb(NEW);
  FOREACH field IN ARRAY TG_ARGV[1:] LOOP
    data := data || jsonb_build_object(split_part(field, '=', 1), of_row -> split_part(field, '=', 2));
  END LOOP;
  PERFORM note_webhook_event(NEW.creator_id, TG_ARGV[0], split_part(TG_ARGV[0], '.', 1) || ':' || (data ->> 'id'), data);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION webhook_event_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sale record;
BEGIN
  SELECT s.creator_id, s.purpose, s.currency INTO sale FROM sales s WHERE s.id = NEW.sale_id;
  IF sale.purpose = 'plan' OR NOT wants_webhook_event(sale.creator_id, 'refund.made') THEN RETURN NULL; END IF;
  PERFORM note_webhook_event(sale.creator_id, 'refund.made', 'refund:' || NEW.provider_id, jsonb_build_object(
    'id', NEW.provider_id, 'sale_id', NEW.sale_id, 'amount_minor', NEW.amount_minor, 'currency', sale.currency));
  RETURN NULL;
END $$;--> statement-breakpoint
-- Of one row, triggers run in the order of their names.
CREATE TRIGGER webhooks_created AFTER INSERT ON products FOR EACH ROW EXECUTE FUNCTION webhook_event_of_row('show.created', 'id=id');--> statement-breakpoint
CREATE TRIGGER webhooks_archived AFTER UPDATE OF archived_at ON products FOR EACH ROW WHEN (OLD.archived_at IS NULL AND NEW.archived_at IS NOT NULL) EXECUTE FUNCTION webhook_event_of_row('show.archived', 'id=id');--> statement-breakpoint
CREATE TRIGGER webhooks_deleted AFTER UPDATE OF retired_at ON products FOR EACH ROW WHEN (OLD.retired_at IS NULL AND NEW.retired_at IS NOT NULL) EXECUTE FUNCTION webhook_event_of_row('show.deleted', 'id=id');--> statement-breakpoint
CREATE TRIGGER webhooks_updated AFTER UPDATE ON products FOR EACH ROW WHEN (NEW.retired_at IS NULL AND (
  (OLD.name, OLD.slug, OLD.description, OLD.category, OLD.language, OLD.cover_key, OLD.price_minor, OLD.annual_price_minor, OLD.currency, OLD.explicit, OLD.complete, OLD.author, OLD.copyright, OLD.benefits)
  IS DISTINCT FROM
  (NEW.name, NEW.slug, NEW.description, NEW.category, NEW.language, NEW.cover_key, NEW.price_minor, NEW.annual_price_minor, NEW.currency, NEW.explicit, NEW.complete, NEW.author, NEW.copyright, NEW.benefits)
  OR (OLD.archived_at IS NOT NULL AND NEW.archived_at IS NULL))) EXECUTE FUNCTION webhook_event_of_row('show.updated', 'id=id');--> statement-breakpoint
CREATE TRIGGER webhooks_created AFTER INSERT ON episodes FOR EACH ROW EXECUTE FUNCTION webhook_event_of_row('episode.created', 'id=id', 'show_id=product_id');--> statement-breakpoint
CREATE TRIGGER webhooks_deleted AFTER UPDATE OF deleted_at ON episodes FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION webhook_event_of_row('episode.deleted', 'id=id', 'show_id=product_id');--> statement-breakpoint
CREATE TRIGGER webhooks_inserted_published AFTER INSERT ON episodes FOR EACH ROW WHEN (NEW.status = 'published') EXECUTE FUNCTION webhook_event_of_row('episode.published', 'id=id', 'show_id=product_id');--> statement-breakpoint
CREATE TRIGGER webhooks_published AFTER UPDATE OF status ON episodes FOR EACH ROW WHEN (OLD.status <> 'published' AND NEW.status = 'published' AND NEW.deleted_at IS NULL) EXECUTE FUNCTION webhook_event_of_row('episode.published', 'id=id', 'show_id=product_id');--> statement-breakpoint
CREATE TRIGGER webhooks_updated AFTER UPDATE ON episodes FOR EACH ROW WHEN (NEW.deleted_at IS NULL AND (
  (OLD.product_id, OLD.name, OLD.slug, OLD.description, OLD.cover_key, OLD.type, OLD.release_at, OLD.season, OLD.number, OLD.explicit, OLD.people, OLD.audio_key, OLD.transcript_show_all, OLD.taken_down_at, OLD.deleted_at)
  IS DISTINCT FROM
  (NEW.product_id, NEW.name, NEW.slug, NEW.description, NEW.cover_key, NEW.type, NEW.release_at, NEW.season, NEW.number, NEW.explicit, NEW.people, NEW.audio_key, NEW.transcript_show_all, NEW.taken_down_at, NEW.deleted_at)
  OR (OLD.status <> NEW.status AND NEW.status <> 'published'))) EXECUTE FUNCTION webhook_event_of_row('episode.updated', 'id=id', 'show_id=product_id');--> statement-breakpoint
CREATE TRIGGER webhooks_finished AFTER UPDATE OF status ON rss_imports FOR EACH ROW WHEN (OLD.status <> NEW.status AND NEW.status IN ('imported', 'failed')) EXECUTE FUNCTION webhook_event_of_row('import.finished', 'id=id', 'show_id=product_id', 'status=status');--> statement-breakpoint
CREATE TRIGGER webhooks_inserted_started AFTER INSERT ON subscriptions FOR EACH ROW WHEN (NEW.purpose = 'show' AND NEW.status IN ('trialing', 'active')) EXECUTE FUNCTION webhook_event_of_row('subscription.started', 'id=id', 'show_id=product_id');--> statement-breakpoint
CREATE TRIGGER webhooks_started AFTER UPDATE OF status ON subscriptions FOR EACH ROW WHEN (NEW.purpose = 'show' AND OLD.status = 'incomplete' AND NEW.status IN ('trialing', 'active')) EXECUTE FUNCTION webhook_event_of_row('subscription.started', 'id=id', 'show_id=product_id');--> statement-breakpoint
CREATE TRIGGER webhooks_renewed AFTER UPDATE ON subscriptions FOR EACH ROW WHEN (NEW.purpose = 'show' AND NEW.status = 'active' AND NEW.ended_at IS NULL AND OLD.status <> 'incomplete' AND (NEW.period_start > OLD.period_start OR OLD.status = 'past_due')) EXECUTE FUNCTION webhook_event_of_row('subscription.renewed', 'id=id', 'show_id=product_id');--> statement-breakpoint
CREATE TRIGGER webhooks_cancelled AFTER UPDATE OF ends_at ON subscriptions FOR EACH ROW WHEN (NEW.purpose = 'show' AND OLD.ends_at IS NULL AND NEW.ends_at IS NOT NULL AND NEW.ended_at IS NULL) EXECUTE FUNCTION webhook_event_of_row('subscription.cancelled', 'id=id', 'show_id=product_id');--> statement-breakpoint
CREATE TRIGGER webhooks_ended AFTER UPDATE OF ended_at ON subscriptions FOR EACH ROW WHEN (NEW.purpose = 'show' AND OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND OLD.status <> 'incomplete') EXECUTE FUNCTION webhook_event_of_row('subscription.ended', 'id=id', 'show_id=product_id');--> statement-breakpoint
CREATE TRIGGER webhooks_purchased AFTER INSERT ON sales FOR EACH ROW WHEN (NEW.subscription_id IS NULL AND NEW.purpose IN ('show', 'gift')) EXECUTE FUNCTION webhook_event_of_row('purchase.completed', 'id=id', 'show_id=product_id', 'purpose=purpose', 'amount_minor=amount_minor', 'currency=currency');--> statement-breakpoint
CREATE TRIGGER webhooks_donated AFTER INSERT ON sales FOR EACH ROW WHEN (NEW.purpose = 'donation') EXECUTE FUNCTION webhook_event_of_row('donation.received', 'id=id', 'amount_minor=amount_minor', 'currency=currency');--> statement-breakpoint
CREATE TRIGGER webhooks_inserted_refunded AFTER INSERT ON refunds FOR EACH ROW WHEN (NEW.status = 'succeeded') EXECUTE FUNCTION webhook_event_of_refund();--> statement-breakpoint
CREATE TRIGGER webhooks_refunded AFTER UPDATE OF status ON refunds FOR EACH ROW WHEN (OLD.status <> 'succeeded' AND NEW.status = 'succeeded') EXECUTE FUNCTION webhook_event_of_refund();--> statement-breakpoint
CREATE TRIGGER webhooks_requested AFTER INSERT ON payouts FOR EACH ROW EXECUTE FUNCTION webhook_event_of_row('payout.requested', 'id=id', 'amount_minor=amount_minor', 'currency=currency');--> statement-breakpoint
CREATE TRIGGER webhooks_paid AFTER UPDATE OF status ON payouts FOR EACH ROW WHEN (OLD.status <> 'paid' AND NEW.status = 'paid') EXECUTE FUNCTION webhook_event_of_row('payout.paid', 'id=id', 'amount_minor=amount_minor', 'currency=currency');--> statement-breakpoint
CREATE TRIGGER webhooks_inserted_created AFTER INSERT ON contacts FOR EACH ROW WHEN (NEW.status = 'active') EXECUTE FUNCTION webhook_event_of_row('contact.created', 'id=id');--> statement-breakpoint
CREATE TRIGGER webhooks_created AFTER UPDATE OF status ON contacts FOR EACH ROW WHEN (OLD.status = 'pending' AND NEW.status = 'active') EXECUTE FUNCTION webhook_event_of_row('contact.created', 'id=id');--> statement-breakpoint
CREATE TRIGGER webhooks_unsubscribed AFTER UPDATE OF status ON contacts FOR EACH ROW WHEN (OLD.status = 'active' AND NEW.status = 'inactive' AND NEW.inactive_as IS DISTINCT FROM 'bounced') EXECUTE FUNCTION webhook_event_of_row('contact.unsubscribed', 'id=id');--> statement-breakpoint
CREATE TRIGGER webhooks_updated AFTER UPDATE ON contacts FOR EACH ROW WHEN (OLD.status <> 'pending' AND (
  (OLD.name, OLD.email, OLD.language) IS DISTINCT FROM (NEW.name, NEW.email, NEW.language)
  OR (OLD.status = 'inactive' AND NEW.status = 'active') OR (OLD.status = 'active' AND NEW.inactive_as = 'bounced'))) EXECUTE FUNCTION webhook_event_of_row('contact.updated', 'id=id');--> statement-breakpoint
CREATE TRIGGER webhooks_sent AFTER UPDATE OF status ON editions FOR EACH ROW WHEN (OLD.status <> 'sent' AND NEW.status = 'sent' AND NEW.automation_id IS NULL) EXECUTE FUNCTION webhook_event_of_row('edition.sent', 'id=id', 'recipients=recipients');--> statement-breakpoint
CREATE TRIGGER webhooks_ready AFTER UPDATE OF done_at ON month_reports FOR EACH ROW WHEN (OLD.done_at IS NULL AND NEW.done_at IS NOT NULL) EXECUTE FUNCTION webhook_event_of_row('report.ready', 'id=month');--> statement-breakpoint
CREATE TRIGGER webhooks_reached AFTER UPDATE OF reached ON webhook_milestones FOR EACH ROW WHEN (NEW.reached > OLD.reached) EXECUTE FUNCTION webhook_event_of_row('downloads.milestone', 'id=product_id', 'downloads=reached');
