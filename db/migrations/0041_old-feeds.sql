CREATE TABLE "old_feeds" (
	"product_id" bigint PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"feed_url" text NOT NULL,
	"state" text NOT NULL,
	"ended_because" text,
	"redirect" text DEFAULT 'none' NOT NULL,
	"etag" text,
	"last_modified" text,
	"step" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failure_reason" text,
	"failure_params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"checked_at" timestamp with time zone,
	"next_at" timestamp with time zone,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "old_feeds_state" CHECK ("old_feeds"."state" in ('following', 'watching', 'ended'))
);
--> statement-breakpoint
DROP INDEX "rss_imports_one_at_a_time";--> statement-breakpoint
ALTER TABLE "rss_import_items" ADD COLUMN "fingerprint" text;--> statement-breakpoint
ALTER TABLE "rss_imports" ADD COLUMN "keeps_following" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "rss_imports" ADD COLUMN "is_follow_up" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "old_feeds" ADD CONSTRAINT "old_feeds_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "old_feeds" ADD CONSTRAINT "old_feeds_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "old_feeds" ADD CONSTRAINT "old_feeds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "old_feeds_due" ON "old_feeds" USING btree ("next_at") WHERE "old_feeds"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "old_feeds_of_creator" ON "old_feeds" USING btree ("creator_id");--> statement-breakpoint
CREATE UNIQUE INDEX "rss_imports_one_at_a_time" ON "rss_imports" USING btree ("creator_id") WHERE "rss_imports"."status" in ('awaiting_proof', 'confirmed', 'in_progress') and not "rss_imports"."is_follow_up";