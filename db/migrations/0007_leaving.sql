ALTER TABLE "account_exports" ALTER COLUMN "bytes" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "account_exports" ADD COLUMN "day" date NOT NULL;--> statement-breakpoint
ALTER TABLE "creators" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "headers" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "thread_id" uuid NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "account_exports_once_a_day" ON "account_exports" USING btree ("user_id","day") WHERE failed_at is null;--> statement-breakpoint
CREATE INDEX "contact_messages_of_address" ON "contact_messages" USING btree ("email","created_at");