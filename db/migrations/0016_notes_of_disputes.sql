ALTER TABLE "credit_notes" ALTER COLUMN "refund_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "credit_notes" ADD COLUMN "dispute_id" text;--> statement-breakpoint
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_dispute_id_disputes_provider_id_fk" FOREIGN KEY ("dispute_id") REFERENCES "public"."disputes"("provider_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "credit_notes_dispute_once" ON "credit_notes" USING btree ("dispute_id","kind");