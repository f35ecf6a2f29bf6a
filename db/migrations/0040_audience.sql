CREATE TABLE "contact_batch_rows" (
	"batch_id" uuid NOT NULL,
	"contact_id" bigint NOT NULL,
	"email" text NOT NULL,
	"before" jsonb NOT NULL,
	CONSTRAINT "contact_batch_rows_batch_id_contact_id_pk" PRIMARY KEY("batch_id","contact_id")
);
--> statement-breakpoint
CREATE TABLE "contact_batches" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"creator_id" bigint NOT NULL,
	"action" text NOT NULL,
	"tag_id" bigint,
	"undone_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_consents" (
	"contact_id" bigint NOT NULL,
	"given_at" timestamp with time zone NOT NULL,
	"source" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "contact_consents_contact_id_given_at_source_pk" PRIMARY KEY("contact_id","given_at","source")
);
--> statement-breakpoint
CREATE TABLE "contact_segments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_segments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"name" text NOT NULL,
	"filter" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_sources" (
	"contact_id" bigint NOT NULL,
	"creator_id" bigint NOT NULL,
	"source" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_sources_contact_id_source_pk" PRIMARY KEY("contact_id","source"),
	CONSTRAINT "contact_sources_source" CHECK ("contact_sources"."source" in ('form', 'follow', 'purchase', 'subscription', 'donation', 'manual', 'import'))
);
--> statement-breakpoint
CREATE TABLE "contact_tags" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_tags_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "suppressions" (
	"creator_id" bigint NOT NULL,
	"address_digest" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "suppressions_creator_id_address_digest_pk" PRIMARY KEY("creator_id","address_digest"),
	CONSTRAINT "suppressions_reason" CHECK ("suppressions"."reason" in ('unsubscribed', 'bounced', 'complained'))
);
--> statement-breakpoint
CREATE TABLE "tagged_contacts" (
	"tag_id" bigint NOT NULL,
	"contact_id" bigint NOT NULL,
	CONSTRAINT "tagged_contacts_tag_id_contact_id_pk" PRIMARY KEY("tag_id","contact_id")
);
--> statement-breakpoint
ALTER TABLE "contacts" DROP CONSTRAINT "contacts_source";--> statement-breakpoint
DROP INDEX "contacts_newest";--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "user_id" bigint;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "inactive_as" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "status_reason" text DEFAULT 'form' NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "status_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "since" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_batch_rows" ADD CONSTRAINT "contact_batch_rows_batch_id_contact_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."contact_batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_batches" ADD CONSTRAINT "contact_batches_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_batches" ADD CONSTRAINT "contact_batches_tag_id_contact_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."contact_tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_consents" ADD CONSTRAINT "contact_consents_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_segments" ADD CONSTRAINT "contact_segments_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_sources" ADD CONSTRAINT "contact_sources_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_tags" ADD CONSTRAINT "contact_tags_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tagged_contacts" ADD CONSTRAINT "tagged_contacts_tag_id_contact_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."contact_tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tagged_contacts" ADD CONSTRAINT "tagged_contacts_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_batch_rows_of_address" ON "contact_batch_rows" USING btree ("email");--> statement-breakpoint
CREATE INDEX "contact_batches_of_creator" ON "contact_batches" USING btree ("creator_id");--> statement-breakpoint
CREATE INDEX "contact_batches_by_age" ON "contact_batches" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_segments_once" ON "contact_segments" USING btree ("creator_id",lower("name"));--> statement-breakpoint
CREATE INDEX "contact_sources_of_creator" ON "contact_sources" USING btree ("creator_id","source","contact_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contact_tags_once" ON "contact_tags" USING btree ("creator_id",lower("name"));--> statement-breakpoint
CREATE INDEX "tagged_contacts_of_contact" ON "tagged_contacts" USING btree ("contact_id");--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contacts_since" ON "contacts" USING btree ("creator_id","since","id");--> statement-breakpoint
CREATE INDEX "contacts_active" ON "contacts" USING btree ("creator_id","since","id") WHERE "contacts"."status" = 'active';--> statement-breakpoint
CREATE INDEX "contacts_inactive" ON "contacts" USING btree ("creator_id","since","id") WHERE "contacts"."status" <> 'active';--> statement-breakpoint
CREATE INDEX "contacts_named" ON "contacts" USING btree ("creator_id",lower(coalesce(nullif("name", ''), "email")),"id");--> statement-breakpoint
CREATE INDEX "contacts_parts" ON "contacts" USING gin ("email" gin_trgm_ops,"name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contacts_of_address" ON "contacts" USING btree ("email");--> statement-breakpoint
CREATE INDEX "contacts_of_user" ON "contacts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "contacts_pending" ON "contacts" USING btree ("updated_at") WHERE "contacts"."status" = 'pending';--> statement-breakpoint
UPDATE contacts SET since = created_at, status_at = coalesce(confirmed_at, updated_at), status_reason = CASE WHEN status = 'inactive' THEN 'link' ELSE source END,
  inactive_as = CASE WHEN status = 'inactive' THEN 'unsubscribed' END;--> statement-breakpoint
UPDATE contacts SET status_at = updated_at WHERE status = 'inactive';--> statement-breakpoint
INSERT INTO suppressions (creator_id, address_digest, reason, created_at)
  SELECT creator_id, encode(sha256(convert_to(email, 'UTF8')), 'hex'), 'unsubscribed', updated_at FROM contacts WHERE status = 'inactive';--> statement-breakpoint
INSERT INTO contact_sources (contact_id, creator_id, source, created_at) SELECT id, creator_id, source, created_at FROM contacts;--> statement-breakpoint
INSERT INTO contact_consents (contact_id, given_at, source, text)
  SELECT id, confirmed_at, 'form', CASE language WHEN 'es' THEN 'Confirmó su dirección con el enlace de un correo y el botón «Recibir el boletín».'
    ELSE 'Confirmed the address with the link in an email and the button “Get the newsletter”.' END
  FROM contacts WHERE confirmed_at IS NOT NULL AND source = 'form';--> statement-breakpoint
-- Buyers, subscribers, followers and donors of before. Followers had to verify their address, as others may have typed it; followers of a show
-- that is sold today are not shown to its creator.
CREATE TEMP TABLE people_of_creators ON COMMIT DROP AS
  SELECT p.creator_id, lower(u.email) AS email, u.name, u.id AS user_id, coalesce(u.language, 'en') AS language, g.source, g.starts_at AS at
    FROM grants g JOIN products p ON p.id = g.product_id JOIN creators c ON c.id = p.creator_id JOIN users u ON u.id = g.user_id
    WHERE g.source IN ('follow', 'purchase', 'subscription') AND u.id <> c.user_id AND u.deleted_at IS NULL AND c.closed_at IS NULL
      AND (g.source <> 'follow' OR p.price_minor IS NULL AND u.email_verified_at IS NOT NULL)
  UNION ALL
  SELECT d.creator_id, lower(d.email), d.name, d.user_id, coalesce(u.language, 'en'), 'donation', d.donated_at
    FROM donations d JOIN creators c ON c.id = d.creator_id LEFT JOIN users u ON u.id = d.user_id
    WHERE d.email <> '' AND c.closed_at IS NULL AND u.deleted_at IS NULL;--> statement-breakpoint
INSERT INTO contacts (creator_id, email, name, user_id, status, status_reason, status_at, source, language, since, created_at, updated_at)
  SELECT DISTINCT ON (creator_id, email) creator_id, email, name, user_id, 'active', source, at, source, language, at, now(), now()
    FROM people_of_creators ORDER BY creator_id, email, at
  ON CONFLICT (creator_id, email) DO UPDATE SET user_id = excluded.user_id,
    name = CASE WHEN contacts.name = '' THEN excluded.name ELSE contacts.name END, since = least(contacts.since, excluded.since),
    status = CASE WHEN contacts.status = 'pending' THEN 'active' ELSE contacts.status END,
    status_reason = CASE WHEN contacts.status = 'pending' THEN excluded.status_reason ELSE contacts.status_reason END;--> statement-breakpoint
INSERT INTO contact_sources (contact_id, creator_id, source, created_at)
  SELECT c.id, c.creator_id, p.source, min(p.at) FROM people_of_creators p
    JOIN contacts c ON c.creator_id = p.creator_id AND c.email = p.email GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING;
