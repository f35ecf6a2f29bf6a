CREATE TABLE "unused_payments" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"found" jsonb
);
--> statement-breakpoint
ALTER TABLE "unused_payments" ADD CONSTRAINT "unused_payments_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;