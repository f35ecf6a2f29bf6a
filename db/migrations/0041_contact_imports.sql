CREATE TABLE "contact_import_problems" (
	"import_id" bigint NOT NULL,
	"line" integer NOT NULL,
	"text" text NOT NULL,
	"fault" text NOT NULL,
	CONSTRAINT "contact_import_problems_import_id_line_pk" PRIMARY KEY("import_id","line")
);
--> statement-breakpoint
CREATE TABLE "contact_import_rows" (
	"import_id" bigint NOT NULL,
	"line" integer NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"tags" jsonb,
	"since" date,
	"state" text,
	CONSTRAINT "contact_import_rows_import_id_line_pk" PRIMARY KEY("import_id","line")
);
--> statement-breakpoint
CREATE TABLE "contact_imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"user_id" bigint,
	"file_key" text NOT NULL,
	"file_name" text NOT NULL,
	"host" text NOT NULL,
	"kind" text NOT NULL,
	"mapping" jsonb NOT NULL,
	"consent" text NOT NULL,
	"consented_on" date NOT NULL,
	"language" text NOT NULL,
	"status" text NOT NULL,
	"read_to" integer DEFAULT 0 NOT NULL,
	"merged_to" integer DEFAULT 0 NOT NULL,
	"rows" integer DEFAULT 0 NOT NULL,
	"merged" integer DEFAULT 0 NOT NULL,
	"added" integer DEFAULT 0 NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"suppressed" integer DEFAULT 0 NOT NULL,
	"left_out" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contact_import_problems" ADD CONSTRAINT "contact_import_problems_import_id_contact_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."contact_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_import_rows" ADD CONSTRAINT "contact_import_rows_import_id_contact_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."contact_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD CONSTRAINT "contact_imports_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD CONSTRAINT "contact_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "contact_imports_one_at_a_time" ON "contact_imports" USING btree ("creator_id") WHERE "contact_imports"."status" in ('reading', 'suppressing', 'merging');--> statement-breakpoint
CREATE INDEX "contact_imports_of_creator" ON "contact_imports" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "contact_imports_of_user" ON "contact_imports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "contact_imports_by_age" ON "contact_imports" USING btree ("updated_at");