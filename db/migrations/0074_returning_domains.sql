CREATE TABLE "former_sending_domains" (
	"creator_id" bigint NOT NULL,
	"domain" text NOT NULL,
	"warm_up_started_at" timestamp with time zone NOT NULL,
	"day" date NOT NULL,
	"reserved" integer NOT NULL,
	"removed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "former_sending_domains_creator_id_domain_pk" PRIMARY KEY("creator_id","domain")
);
--> statement-breakpoint
ALTER TABLE "dmarc_reports" ADD COLUMN "signed_by" text;--> statement-breakpoint
ALTER TABLE "former_sending_domains" ADD CONSTRAINT "former_sending_domains_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_sending_domains_age" ON "former_sending_domains" USING btree ("removed_at");--> statement-breakpoint
CREATE INDEX "editions_listed" ON "editions" USING btree ("creator_id","started_at" DESC NULLS FIRST,"scheduled_at","updated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "editions"."automation_id" is null;