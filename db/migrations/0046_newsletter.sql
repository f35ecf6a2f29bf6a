CREATE TABLE "edition_links" (
	"edition_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"href" text NOT NULL,
	"clicks" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "edition_links_edition_id_position_pk" PRIMARY KEY("edition_id","position")
);
--> statement-breakpoint
CREATE TABLE "edition_recipients" (
	"edition_id" bigint NOT NULL,
	"contact_id" bigint NOT NULL,
	"pays" boolean NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	"answer" text,
	"settled_at" timestamp with time zone,
	CONSTRAINT "edition_recipients_edition_id_contact_id_pk" PRIMARY KEY("edition_id","contact_id"),
	CONSTRAINT "edition_recipients_state" CHECK ("edition_recipients"."state" in ('waiting', 'leased', 'sent', 'bounced', 'complained', 'failed', 'unknown', 'skipped'))
);
--> statement-breakpoint
CREATE TABLE "edition_versions" (
	"edition_id" bigint NOT NULL,
	"revision" integer NOT NULL,
	"title" text NOT NULL,
	"preheader" text NOT NULL,
	"content" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "edition_versions_edition_id_revision_pk" PRIMARY KEY("edition_id","revision")
);
--> statement-breakpoint
CREATE TABLE "editions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "editions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"slug" text,
	"title" text DEFAULT '' NOT NULL,
	"preheader" text DEFAULT '' NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"tags" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"seo_title" text DEFAULT '' NOT NULL,
	"seo_description" text DEFAULT '' NOT NULL,
	"audience" jsonb DEFAULT '{"group":"everyone"}'::jsonb NOT NULL,
	"is_in_archive" boolean DEFAULT true NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"scheduled_at" timestamp with time zone,
	"problem" text,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"recipients" integer DEFAULT 0 NOT NULL,
	"opens" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "editions_status" CHECK ("editions"."status" in ('draft', 'scheduled', 'sending', 'sent', 'cancelled', 'stopped'))
);
--> statement-breakpoint
CREATE TABLE "newsletters" (
	"creator_id" bigint PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"category" integer NOT NULL,
	"language" text NOT NULL,
	"logo_key" text,
	"sender_name" text NOT NULL,
	"sender_email" text NOT NULL,
	"header" text NOT NULL,
	"footer" text NOT NULL,
	"sends_welcome" boolean NOT NULL,
	"welcome_subject" text NOT NULL,
	"welcome_content" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "edition_links" ADD CONSTRAINT "edition_links_edition_id_editions_id_fk" FOREIGN KEY ("edition_id") REFERENCES "public"."editions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "edition_recipients" ADD CONSTRAINT "edition_recipients_edition_id_editions_id_fk" FOREIGN KEY ("edition_id") REFERENCES "public"."editions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "edition_recipients" ADD CONSTRAINT "edition_recipients_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "edition_versions" ADD CONSTRAINT "edition_versions_edition_id_editions_id_fk" FOREIGN KEY ("edition_id") REFERENCES "public"."editions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "editions" ADD CONSTRAINT "editions_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "newsletters" ADD CONSTRAINT "newsletters_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "edition_recipients_of_contact" ON "edition_recipients" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "edition_recipients_due" ON "edition_recipients" USING btree ("edition_id","due_at") WHERE "edition_recipients"."state" in ('waiting', 'leased');--> statement-breakpoint
CREATE UNIQUE INDEX "editions_slug_once" ON "editions" USING btree ("creator_id","slug");--> statement-breakpoint
CREATE INDEX "editions_of_creator" ON "editions" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "editions_in_archive" ON "editions" USING btree ("creator_id","started_at") WHERE "editions"."started_at" is not null and "editions"."is_in_archive";--> statement-breakpoint
CREATE INDEX "editions_due" ON "editions" USING btree ("scheduled_at") WHERE "editions"."status" = 'scheduled';--> statement-breakpoint
CREATE INDEX "editions_sending" ON "editions" USING btree ("id") WHERE "editions"."status" = 'sending';