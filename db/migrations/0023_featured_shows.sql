CREATE TABLE "featured_shows" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"position" integer NOT NULL,
	"featured_at" timestamp with time zone NOT NULL,
	"featured_by" text NOT NULL,
	"until" timestamp with time zone,
	CONSTRAINT "featured_shows_position" CHECK ("featured_shows"."position" between 1 and 99)
);
--> statement-breakpoint
ALTER TABLE "featured_shows" ADD CONSTRAINT "featured_shows_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "featured_shows_in_order" ON "featured_shows" USING btree ("position","featured_at");