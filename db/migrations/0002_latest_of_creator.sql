DROP INDEX "episodes_of_creator";--> statement-breakpoint
CREATE INDEX "episodes_latest_of_creator" ON "episodes" USING btree ("creator_id","status","release_at" DESC NULLS LAST,"id" DESC NULLS LAST);