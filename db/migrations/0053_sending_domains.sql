CREATE TABLE "sending_domain_days" (
	"domain_id" bigint NOT NULL,
	"day" date NOT NULL,
	"reserved" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sending_domain_days_domain_id_day_pk" PRIMARY KEY("domain_id","day")
);
--> statement-breakpoint
CREATE TABLE "sending_domains" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sending_domains_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"domain" text NOT NULL,
	"local_part" text NOT NULL,
	"selector" text NOT NULL,
	"public_key" text NOT NULL,
	"sealed_key" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"readings" jsonb NOT NULL,
	"checked_at" timestamp with time zone,
	"asked_at" timestamp with time zone NOT NULL,
	"is_unanswered" boolean DEFAULT false NOT NULL,
	"verified_at" timestamp with time zone,
	"warm_up_started_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sending_domains_state" CHECK ("sending_domains"."state" in ('pending', 'verified', 'lost'))
);
--> statement-breakpoint
ALTER TABLE "edition_recipients" ADD COLUMN "uses_own_domain" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sending_domain_days" ADD CONSTRAINT "sending_domain_days_domain_id_sending_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."sending_domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sending_domains" ADD CONSTRAINT "sending_domains_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sending_domains_of_creator" ON "sending_domains" USING btree ("creator_id","domain");--> statement-breakpoint
CREATE UNIQUE INDEX "sending_domains_verified_once" ON "sending_domains" USING btree ("domain") WHERE "sending_domains"."state" = 'verified';--> statement-breakpoint
CREATE INDEX "sending_domains_asked" ON "sending_domains" USING btree ("asked_at");