CREATE TABLE "merged_contacts" (
	"former_id" bigint PRIMARY KEY NOT NULL,
	"contact_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracking_consents" (
	"contact_id" bigint NOT NULL,
	"given_at" timestamp with time zone NOT NULL,
	"text" text NOT NULL,
	"withdrawn_at" timestamp with time zone,
	CONSTRAINT "tracking_consents_contact_id_given_at_pk" PRIMARY KEY("contact_id","given_at")
);
--> statement-breakpoint
ALTER TABLE "merged_contacts" ADD CONSTRAINT "merged_contacts_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_consents" ADD CONSTRAINT "tracking_consents_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "merged_contacts_of_contact" ON "merged_contacts" USING btree ("contact_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tracking_consents_one_at_a_time" ON "tracking_consents" USING btree ("contact_id") WHERE "tracking_consents"."withdrawn_at" is null;