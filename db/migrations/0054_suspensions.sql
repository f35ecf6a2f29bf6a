ALTER TABLE "users" ADD COLUMN "suspended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "creators" ADD COLUMN "publishing_stopped_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "users_email_prefix" ON "users" USING btree ("email" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_name_prefix" ON "users" USING btree (lower("name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "creators_domain_prefix" ON "creators" USING btree ("domain" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "creators_name_prefix" ON "creators" USING btree (lower("name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "outbox_failed" ON "outbox" USING btree ("id") WHERE "outbox"."failed_at" is not null and "outbox"."sent_at" is null;--> statement-breakpoint
CREATE INDEX "products_name_prefix" ON "products" USING btree (lower("name") text_pattern_ops);