ALTER TABLE "served_renditions" ADD COLUMN "audio_key" text;--> statement-breakpoint
CREATE INDEX "renditions_of_audio" ON "renditions" USING btree ("audio_key");--> statement-breakpoint
CREATE INDEX "renditions_of_head" ON "renditions" USING btree ("head_key");