CREATE TABLE "glossaries" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"lines" text[] NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "glossaries_lines" CHECK (cardinality("glossaries"."lines") <= 200)
);
--> statement-breakpoint
ALTER TABLE "glossaries" ADD CONSTRAINT "glossaries_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;