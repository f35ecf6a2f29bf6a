ALTER TABLE "tracking_consents" ADD COLUMN "last_seen_on" date;--> statement-breakpoint
ALTER TABLE "creators" ADD COLUMN "tracks_readers_since" timestamp with time zone;