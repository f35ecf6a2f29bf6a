CREATE TABLE "rss_import_pictures" (
	"import_id" bigint NOT NULL,
	"source" text NOT NULL,
	"image_key" text,
	"reason" text,
	"reason_params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "rss_import_pictures_import_id_source_pk" PRIMARY KEY("import_id","source")
);
--> statement-breakpoint
DROP INDEX "rss_import_items_waiting";--> statement-breakpoint
ALTER TABLE "rss_import_items" ADD COLUMN "left_out" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "rss_import_pictures" ADD CONSTRAINT "rss_import_pictures_import_id_rss_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."rss_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rss_import_items_next" ON "rss_import_items" USING btree ("import_id","attempts","position") WHERE "rss_import_items"."state" = 'waiting';