CREATE INDEX "downloads_of_product" ON "downloads" USING btree ("product_id","first_at");--> statement-breakpoint
CREATE INDEX "listens_of_product" ON "listens" USING btree ("product_id","at");