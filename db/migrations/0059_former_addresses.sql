CREATE TABLE "contact_former_addresses" (
	"contact_id" bigint NOT NULL,
	"address_digest" text NOT NULL,
	CONSTRAINT "contact_former_addresses_contact_id_address_digest_pk" PRIMARY KEY("contact_id","address_digest")
);
--> statement-breakpoint
ALTER TABLE "contact_former_addresses" ADD CONSTRAINT "contact_former_addresses_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- contacts that creators have moved so far: the text of each move names both addresses
INSERT INTO "contact_former_addresses" ("contact_id", "address_digest")
SELECT c."contact_id", encode(sha256(convert_to(lower(rtrim(a[1], '.')), 'UTF8')), 'hex')
FROM "contact_consents" c JOIN "contacts" k ON k."id" = c."contact_id", regexp_matches(c."text", '([^[:space:]]+@[^[:space:]]+)', 'g') a
WHERE c."source" = 'manual'
ON CONFLICT DO NOTHING;
