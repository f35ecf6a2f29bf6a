CREATE TABLE "studio_notice_dismissals" (
	"notice_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "studio_notice_dismissals_notice_id_user_id_pk" PRIMARY KEY("notice_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "studio_notices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "studio_notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"text_en" text NOT NULL,
	"text_es" text NOT NULL,
	"level" text NOT NULL,
	"link" text,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "studio_notices_level" CHECK ("studio_notices"."level" in ('info', 'warning')),
	CONSTRAINT "studio_notices_time" CHECK ("studio_notices"."ends_at" > "studio_notices"."starts_at")
);
--> statement-breakpoint
ALTER TABLE "studio_notice_dismissals" ADD CONSTRAINT "studio_notice_dismissals_notice_id_studio_notices_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."studio_notices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "studio_notice_dismissals" ADD CONSTRAINT "studio_notice_dismissals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "studio_notice_dismissals_of_user" ON "studio_notice_dismissals" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "studio_notices_current" ON "studio_notices" USING btree ("ends_at") WHERE "studio_notices"."withdrawn_at" is null;