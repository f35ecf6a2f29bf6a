CREATE TABLE "episode_batches" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"action" text NOT NULL,
	"changes" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp with time zone
);
--> statement-breakpoint
DROP INDEX "episodes_slug_once";--> statement-breakpoint
ALTER TABLE "episode_batches" ADD CONSTRAINT "episode_batches_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_batches" ADD CONSTRAINT "episode_batches_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "episode_batches_old" ON "episode_batches" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "episode_batches_of_product" ON "episode_batches" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "episodes_slug_once" ON "episodes" USING btree ("product_id","slug") WHERE "episodes"."deleted_at" is null;