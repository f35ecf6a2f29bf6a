CREATE TABLE "deleted_contacts" (
	"contact_id" bigint PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"address_digest" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "automations" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "editions" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "deleted_contacts" ADD CONSTRAINT "deleted_contacts_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deleted_contacts_of_creator" ON "deleted_contacts" USING btree ("creator_id");--> statement-breakpoint
CREATE INDEX "deleted_contacts_age" ON "deleted_contacts" USING btree ("created_at");