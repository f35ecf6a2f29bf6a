CREATE TABLE "feed_previews" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"feed_url" text NOT NULL,
	"preview" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "feed_previews_expiring" ON "feed_previews" USING btree ("expires_at");