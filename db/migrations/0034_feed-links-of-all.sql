ALTER TABLE "feed_links" ALTER COLUMN "product_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "feed_links" ADD COLUMN "replaced_because" text;--> statement-breakpoint
CREATE UNIQUE INDEX "feed_links_of_all_once" ON "feed_links" USING btree ("user_id","app") WHERE "feed_links"."replaced_at" is null and "feed_links"."product_id" is null;