CREATE TABLE "feed_fetches" (
	"link_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"network" text NOT NULL,
	"app" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "feed_fetches_link_id_episode_id_network_app_pk" PRIMARY KEY("link_id","episode_id","network","app")
);
--> statement-breakpoint
CREATE TABLE "shared_feeds" (
	"link_id" bigint PRIMARY KEY NOT NULL,
	"networks" integer NOT NULL,
	"apps" integer NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	"last_found_at" timestamp with time zone NOT NULL,
	"notified_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "feed_fetches" ADD CONSTRAINT "feed_fetches_link_id_feed_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."feed_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shared_feeds" ADD CONSTRAINT "shared_feeds_link_id_feed_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."feed_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feed_fetches_by_age" ON "feed_fetches" USING btree ("at");