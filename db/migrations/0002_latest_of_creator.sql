DROP INDEX "episodes_of_creator";--> statement-breakpoint
DROP INDEX "episodes_in_play_order";--> statement-breakpoint
CREATE INDEX "episodes_latest_of_creator" ON "episodes" USING btree ("creator_id","status","release_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "episodes_in_play_order" ON "episodes" USING btree ("product_id","status","release_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);