CREATE TABLE "end_refunds" (
	"subscription_id" bigint NOT NULL,
	"payment_id" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"status" text DEFAULT 'due' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"refund_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "end_refunds_subscription_id_payment_id_pk" PRIMARY KEY("subscription_id","payment_id"),
	CONSTRAINT "end_refunds_amount" CHECK ("end_refunds"."amount_minor" > 0)
);
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "refund_planned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "refund_told_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "end_refunds" ADD CONSTRAINT "end_refunds_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "end_refunds_refund_once" ON "end_refunds" USING btree ("refund_id");--> statement-breakpoint
CREATE INDEX "end_refunds_due" ON "end_refunds" USING btree ("due_at") WHERE "end_refunds"."status" = 'due';--> statement-breakpoint
CREATE INDEX "subscriptions_refunding" ON "subscriptions" USING btree ("id") WHERE "subscriptions"."end_reason" = 'refunded' and "subscriptions"."refund_told_at" is null;