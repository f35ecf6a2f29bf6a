CREATE TABLE "incident_updates" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incident_updates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"incident_id" bigint NOT NULL,
	"text_en" text NOT NULL,
	"text_es" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incidents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"title_en" text NOT NULL,
	"title_es" text NOT NULL,
	"severity" text NOT NULL,
	"components" text[] NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "incidents_severity" CHECK ("incidents"."severity" in ('minor', 'major')),
	CONSTRAINT "incidents_time" CHECK ("incidents"."resolved_at" >= "incidents"."started_at")
);
--> statement-breakpoint
CREATE TABLE "status_checks" (
	"component" text NOT NULL,
	"slot" timestamp with time zone NOT NULL,
	"is_ok" boolean NOT NULL,
	"ms" integer,
	CONSTRAINT "status_checks_component_slot_pk" PRIMARY KEY("component","slot")
);
--> statement-breakpoint
ALTER TABLE "incident_updates" ADD CONSTRAINT "incident_updates_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "incident_updates_of_incident" ON "incident_updates" USING btree ("incident_id","id");--> statement-breakpoint
CREATE INDEX "incidents_by_start" ON "incidents" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "incidents_open" ON "incidents" USING btree ("id") WHERE "incidents"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "status_checks_by_slot" ON "status_checks" USING btree ("slot");