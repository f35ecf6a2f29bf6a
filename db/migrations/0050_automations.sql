CREATE TABLE "automation_emails" (
	"creator_id" bigint NOT NULL,
	"month" date NOT NULL,
	"emails" integer NOT NULL,
	CONSTRAINT "automation_emails_creator_id_month_pk" PRIMARY KEY("creator_id","month")
);
--> statement-breakpoint
CREATE TABLE "automation_enrolments" (
	"automation_id" bigint NOT NULL,
	"contact_id" bigint NOT NULL,
	"product_id" bigint,
	"enrolled_at" timestamp with time zone NOT NULL,
	CONSTRAINT "automation_enrolments_automation_id_contact_id_pk" PRIMARY KEY("automation_id","contact_id")
);
--> statement-breakpoint
CREATE TABLE "automations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "automations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"name" text NOT NULL,
	"trigger" text NOT NULL,
	"product_id" bigint,
	"is_active" boolean DEFAULT false NOT NULL,
	"active_since" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "automations_trigger" CHECK ("automations"."trigger" in ('sign_up', 'purchase', 'cancellation'))
);
--> statement-breakpoint
ALTER TABLE "editions" ADD COLUMN "automation_id" bigint;--> statement-breakpoint
ALTER TABLE "editions" ADD COLUMN "delay_hours" integer;--> statement-breakpoint
ALTER TABLE "automation_emails" ADD CONSTRAINT "automation_emails_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation_enrolments" ADD CONSTRAINT "automation_enrolments_automation_id_automations_id_fk" FOREIGN KEY ("automation_id") REFERENCES "public"."automations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation_enrolments" ADD CONSTRAINT "automation_enrolments_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automation_enrolments" ADD CONSTRAINT "automation_enrolments_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automations" ADD CONSTRAINT "automations_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "automations" ADD CONSTRAINT "automations_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "automation_enrolments_of_contact" ON "automation_enrolments" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "automation_enrolments_of_product" ON "automation_enrolments" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "automations_of_creator" ON "automations" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "automations_of_product" ON "automations" USING btree ("product_id");--> statement-breakpoint
ALTER TABLE "editions" ADD CONSTRAINT "editions_automation_id_automations_id_fk" FOREIGN KEY ("automation_id") REFERENCES "public"."automations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "editions_of_automation" ON "editions" USING btree ("automation_id","delay_hours") WHERE "editions"."automation_id" is not null;