CREATE TABLE "seller_accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "seller_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"account_id" text NOT NULL,
	"status" text NOT NULL,
	"email" text,
	"country" text,
	"charges_enabled" boolean NOT NULL,
	"payouts_enabled" boolean NOT NULL,
	"missing" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"connected_at" timestamp with time zone NOT NULL,
	"connected_by" bigint NOT NULL,
	"disconnected_at" timestamp with time zone,
	"disconnected_by" text,
	"released_at" timestamp with time zone,
	"synced_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "payment_customers_main_once";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "account" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "fee_set_for" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "account" text;--> statement-breakpoint
ALTER TABLE "payment_cards" ADD COLUMN "account" text;--> statement-breakpoint
ALTER TABLE "payment_customers" ADD COLUMN "account" text;--> statement-breakpoint
ALTER TABLE "coupons" ADD COLUMN "accounts" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "seller_accounts" ADD CONSTRAINT "seller_accounts_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_accounts" ADD CONSTRAINT "seller_accounts_connected_by_users_id_fk" FOREIGN KEY ("connected_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "seller_accounts_account_once" ON "seller_accounts" USING btree ("account_id") WHERE "seller_accounts"."status" <> 'disconnected';--> statement-breakpoint
CREATE UNIQUE INDEX "seller_accounts_creator_once" ON "seller_accounts" USING btree ("creator_id") WHERE "seller_accounts"."status" <> 'disconnected';--> statement-breakpoint
CREATE INDEX "seller_accounts_of_account" ON "seller_accounts" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "seller_accounts_of_creator" ON "seller_accounts" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "seller_accounts_leaving" ON "seller_accounts" USING btree ("id") WHERE "seller_accounts"."status" = 'disconnected' and "seller_accounts"."released_at" is null;--> statement-breakpoint
CREATE INDEX "subscriptions_of_account" ON "subscriptions" USING btree ("account","id") WHERE "subscriptions"."account" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_fee_due" ON "subscriptions" USING btree ("period_end") WHERE "subscriptions"."account" is not null and "subscriptions"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_customers_main_once" ON "payment_customers" USING btree ("user_id",coalesce("account", '')) WHERE "payment_customers"."is_main";