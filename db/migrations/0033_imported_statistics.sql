CREATE TABLE "imported_plays" (
	"source_id" bigint NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"period" text NOT NULL,
	"day" date NOT NULL,
	"episode" text DEFAULT '' NOT NULL,
	"plays" bigint NOT NULL,
	CONSTRAINT "imported_plays_source_id_period_day_episode_pk" PRIMARY KEY("source_id","period","day","episode"),
	CONSTRAINT "imported_plays_period" CHECK ("imported_plays"."period" in ('day', 'month')),
	CONSTRAINT "imported_plays_plays" CHECK ("imported_plays"."plays" >= 0)
);
--> statement-breakpoint
CREATE TABLE "imported_sources" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imported_sources_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"host" text NOT NULL,
	"name" text NOT NULL,
	"file_name" text NOT NULL,
	"imported_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "imported_plays" ADD CONSTRAINT "imported_plays_source_id_imported_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."imported_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_sources" ADD CONSTRAINT "imported_sources_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_sources" ADD CONSTRAINT "imported_sources_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imported_plays_of_product" ON "imported_plays" USING btree ("product_id","day");--> statement-breakpoint
CREATE INDEX "imported_plays_of_creator" ON "imported_plays" USING btree ("creator_id");--> statement-breakpoint
CREATE UNIQUE INDEX "imported_sources_name" ON "imported_sources" USING btree ("product_id","name");--> statement-breakpoint
CREATE INDEX "imported_sources_of_creator" ON "imported_sources" USING btree ("creator_id");