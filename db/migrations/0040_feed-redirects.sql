CREATE TABLE "feed_redirects" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "feed_redirects" ADD CONSTRAINT "feed_redirects_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;