ALTER TABLE "recommendations" ADD COLUMN "is_return" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "recommendations" ADD COLUMN "promo_episode_id" bigint;--> statement-breakpoint
ALTER TABLE "recommendations" ADD COLUMN "selection" text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE "recommendations" ADD COLUMN "episode_ids" bigint[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "recommendations" ADD CONSTRAINT "recommendations_promo_episode_id_episodes_id_fk" FOREIGN KEY ("promo_episode_id") REFERENCES "public"."episodes"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recommendations_of_promo" ON "recommendations" USING btree ("promo_episode_id");--> statement-breakpoint
CREATE INDEX "recommendations_of_swap" ON "recommendations" USING btree ("swap_id") WHERE "recommendations"."swap_id" is not null;--> statement-breakpoint
CREATE INDEX "recommendations_open" ON "recommendations" USING btree ("id") WHERE "recommendations"."status" in ('requested', 'accepted');--> statement-breakpoint
ALTER TABLE "recommendations" ADD CONSTRAINT "recommendations_selection" CHECK ("recommendations"."selection" in ('all', 'new', 'chosen'));