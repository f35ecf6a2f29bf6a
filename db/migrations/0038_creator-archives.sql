CREATE TABLE "archive_entries" (
	"archive_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"storage_key" text,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"stored_bytes" bigint,
	"offset" bigint,
	"crc32" bigint,
	"sha256" text,
	"rows" integer,
	"is_missing" boolean DEFAULT false NOT NULL,
	CONSTRAINT "archive_entries_archive_id_position_pk" PRIMARY KEY("archive_id","position")
);
--> statement-breakpoint
CREATE TABLE "archive_import_ids" (
	"archive_id" uuid NOT NULL,
	"table" text NOT NULL,
	"old_id" bigint NOT NULL,
	"new_id" bigint NOT NULL,
	CONSTRAINT "archive_import_ids_archive_id_table_old_id_pk" PRIMARY KEY("archive_id","table","old_id")
);
--> statement-breakpoint
CREATE TABLE "archive_imports" (
	"archive_id" uuid PRIMARY KEY NOT NULL,
	"creator_id" bigint,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "creator_archives" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"creator_id" bigint NOT NULL,
	"requested_by" bigint,
	"step" integer DEFAULT 0 NOT NULL,
	"parts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"files_bytes" bigint,
	"requested_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"ready_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"failed_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "archive_entries" ADD CONSTRAINT "archive_entries_archive_id_creator_archives_id_fk" FOREIGN KEY ("archive_id") REFERENCES "public"."creator_archives"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "archive_import_ids" ADD CONSTRAINT "archive_import_ids_archive_id_archive_imports_archive_id_fk" FOREIGN KEY ("archive_id") REFERENCES "public"."archive_imports"("archive_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "archive_imports" ADD CONSTRAINT "archive_imports_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creator_archives" ADD CONSTRAINT "creator_archives_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creator_archives" ADD CONSTRAINT "creator_archives_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "archive_entries_waiting" ON "archive_entries" USING btree ("archive_id","position") WHERE "archive_entries"."sha256" is null and not "archive_entries"."is_missing";--> statement-breakpoint
CREATE INDEX "archive_imports_of_creator" ON "archive_imports" USING btree ("creator_id");--> statement-breakpoint
CREATE UNIQUE INDEX "creator_archives_one_at_a_time" ON "creator_archives" USING btree ("creator_id") WHERE "creator_archives"."ready_at" is null and "creator_archives"."failed_at" is null;--> statement-breakpoint
CREATE INDEX "creator_archives_of_creator" ON "creator_archives" USING btree ("creator_id","requested_at");--> statement-breakpoint
CREATE INDEX "creator_archives_of_user" ON "creator_archives" USING btree ("requested_by");--> statement-breakpoint
CREATE INDEX "creator_archives_expiry" ON "creator_archives" USING btree ("expires_at") WHERE "creator_archives"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "creator_archives_running" ON "creator_archives" USING btree ("updated_at") WHERE "creator_archives"."ready_at" is null and "creator_archives"."failed_at" is null;