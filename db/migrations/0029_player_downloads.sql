ALTER TABLE "episode_months" ADD COLUMN "player_downloads" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "episode_totals" ADD COLUMN "player_downloads" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "listening_days" ADD COLUMN "player_downloads" integer DEFAULT 0 NOT NULL;