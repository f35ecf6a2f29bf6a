CREATE INDEX "sales_of_guest" ON "sales" USING btree ("email") WHERE "sales"."user_id" is null;--> statement-breakpoint
CREATE INDEX "checkouts_closed" ON "checkouts" USING btree ("updated_at") WHERE "checkouts"."status" = 'closed';--> statement-breakpoint
CREATE INDEX "checkouts_of_guest" ON "checkouts" USING btree ("email") WHERE "checkouts"."user_id" is null;