ALTER TABLE "insertion_points" ADD COLUMN "audio_key" text;--> statement-breakpoint
ALTER TABLE "replaced_passages" ADD COLUMN "audio_key" text;