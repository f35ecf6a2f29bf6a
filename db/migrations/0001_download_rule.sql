ALTER TABLE "downloads" ADD COLUMN "needed_bytes" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "downloads" ADD COLUMN "counted_in" bigint;--> statement-breakpoint
CREATE INDEX "listening_days_of_creator" ON "listening_days" USING btree ("creator_id","day");