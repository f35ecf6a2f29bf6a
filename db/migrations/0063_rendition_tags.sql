CREATE TABLE "served_shows" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"day" date NOT NULL
);
--> statement-breakpoint
ALTER TABLE "renditions" ADD COLUMN "head_key" text;--> statement-breakpoint
ALTER TABLE "served_shows" ADD CONSTRAINT "served_shows_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;