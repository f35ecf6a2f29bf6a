CREATE TABLE "feed_pings" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"pinged_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "feed_length" integer;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "names_listener" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_pings" ADD CONSTRAINT "feed_pings_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;