ALTER TABLE "feed_pings" ALTER COLUMN "version" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "feed_pings" ADD COLUMN "podping_version" integer DEFAULT 0 NOT NULL;