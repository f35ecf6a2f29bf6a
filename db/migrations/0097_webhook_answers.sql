ALTER TABLE "webhook_attempts" ADD COLUMN "whole_of" uuid;--> statement-breakpoint
CREATE INDEX "webhook_attempts_whole" ON "webhook_attempts" USING btree ("whole_of","started_at") WHERE "webhook_attempts"."whole_of" is not null;--> statement-breakpoint
-- Answers from before cannot tell which of them is whole.
UPDATE "webhook_attempts" SET "answer" = left("answer", 1000) WHERE length("answer") > 1000;
