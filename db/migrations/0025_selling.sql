CREATE TABLE "checkouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" bigint,
	"email" text,
	"browser_hash" text,
	"product_id" bigint,
	"creator_id" bigint,
	"coupon_id" bigint,
	"terms" jsonb NOT NULL,
	"language" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"provider_id" text,
	"url" text,
	"customer_id" text,
	"expires_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	"created_account" boolean DEFAULT false NOT NULL,
	"refused_for" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "checkouts_buyer" CHECK ("checkouts"."user_id" is not null or "checkouts"."email" is not null)
);
--> statement-breakpoint
CREATE TABLE "gifts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "gifts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"token_hash" text NOT NULL,
	"sealed_token" text NOT NULL,
	"checkout_id" uuid NOT NULL,
	"giver_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"months" integer,
	"message" text DEFAULT '' NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"redeemed_at" timestamp with time zone,
	"redeemed_by" bigint,
	"cancelled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_cards" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"user_id" bigint NOT NULL,
	"brand" text NOT NULL,
	"last4" text NOT NULL,
	"expires_month" integer NOT NULL,
	"expires_year" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"is_default" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_customers" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"user_id" bigint,
	"is_main" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"id" text PRIMARY KEY NOT NULL,
	"event" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"handled_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "receipt_counters" (
	"legal_entity" text PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"sale_id" bigint NOT NULL,
	"amount_minor" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"refunded_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sales" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sales_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment_id" text NOT NULL,
	"invoice_id" text,
	"checkout_id" uuid,
	"subscription_id" bigint,
	"purpose" text NOT NULL,
	"user_id" bigint,
	"email" text,
	"creator_id" bigint NOT NULL,
	"product_id" bigint,
	"coupon_id" bigint,
	"name" text NOT NULL,
	"every" text,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"discount_minor" integer DEFAULT 0 NOT NULL,
	"refunded_minor" integer DEFAULT 0 NOT NULL,
	"plan" text NOT NULL,
	"commission_basis_points" integer NOT NULL,
	"commission_fixed_minor" integer NOT NULL,
	"commission_minor" integer NOT NULL,
	"provider_fee_minor" integer,
	"period_start" timestamp with time zone,
	"period_end" timestamp with time zone,
	"paid_at" timestamp with time zone NOT NULL,
	"legal_entity" text NOT NULL,
	"receipt_number" integer NOT NULL,
	"buyer" jsonb NOT NULL,
	"seller" text NOT NULL,
	"card_brand" text,
	"card_last4" text,
	"disputed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sales_amount" CHECK ("sales"."amount_minor" > 0 and "sales"."refunded_minor" between 0 and "sales"."amount_minor"),
	CONSTRAINT "sales_commission" CHECK ("sales"."commission_minor" between 0 and "sales"."amount_minor")
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "subscriptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"provider_id" text NOT NULL,
	"customer_id" text NOT NULL,
	"checkout_id" uuid,
	"purpose" text NOT NULL,
	"user_id" bigint NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint,
	"plan" text,
	"status" text NOT NULL,
	"price_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"every" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"period_start" timestamp with time zone NOT NULL,
	"period_end" timestamp with time zone NOT NULL,
	"trial_end" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"leaving_reason" text,
	"paused_until" timestamp with time zone,
	"past_due_since" timestamp with time zone,
	"reminder_sent" integer,
	"card_id" text,
	"latest_invoice" text,
	"synced_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscriptions_item" CHECK (("subscriptions"."purpose" = 'show') = ("subscriptions"."product_id" is not null)),
	CONSTRAINT "subscriptions_plan" CHECK (("subscriptions"."purpose" = 'plan') = ("subscriptions"."plan" is not null))
);
--> statement-breakpoint
CREATE TABLE "coupon_redemptions" (
	"checkout_id" uuid PRIMARY KEY NOT NULL,
	"coupon_id" bigint NOT NULL,
	"user_id" bigint,
	"state" text DEFAULT 'reserved' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "coupons" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "coupons_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"code" text NOT NULL,
	"percent" integer,
	"amount_minor" integer,
	"currency" text NOT NULL,
	"duration" text NOT NULL,
	"months" integer,
	"max_redemptions" integer,
	"taken" integer DEFAULT 0 NOT NULL,
	"provider_id" text,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "coupons_discount" CHECK (("coupons"."percent" is null) <> ("coupons"."amount_minor" is null)),
	CONSTRAINT "coupons_percent" CHECK ("coupons"."percent" between 1 and 100),
	CONSTRAINT "coupons_months" CHECK (("coupons"."duration" = 'repeating') = ("coupons"."months" is not null)),
	CONSTRAINT "coupons_cap" CHECK ("coupons"."taken" >= 0 and ("coupons"."max_redemptions" is null or "coupons"."taken" <= "coupons"."max_redemptions"))
);
--> statement-breakpoint
CREATE TABLE "donation_settings" (
	"creator_id" bigint PRIMARY KEY NOT NULL,
	"goal_minor" integer,
	"goal_title" text DEFAULT '' NOT NULL,
	"goal_since" timestamp with time zone,
	"currency" text NOT NULL,
	"shows_wall" boolean DEFAULT false NOT NULL,
	"thank_you_text" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "donations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "donations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"checkout_id" uuid NOT NULL,
	"subscription_id" bigint,
	"creator_id" bigint NOT NULL,
	"user_id" bigint,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"is_anonymous" boolean DEFAULT false NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"every" text,
	"hidden_at" timestamp with time zone,
	"donated_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "donations_amount" CHECK ("donations"."amount_minor" between 100 and 50000)
);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "pays_what_they_want" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "trial_days" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_giver_id_users_id_fk" FOREIGN KEY ("giver_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_redeemed_by_users_id_fk" FOREIGN KEY ("redeemed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_cards" ADD CONSTRAINT "payment_cards_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_customers" ADD CONSTRAINT "payment_customers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales" ADD CONSTRAINT "sales_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupon_redemptions" ADD CONSTRAINT "coupon_redemptions_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupon_redemptions" ADD CONSTRAINT "coupon_redemptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donation_settings" ADD CONSTRAINT "donation_settings_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donations" ADD CONSTRAINT "donations_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "donations" ADD CONSTRAINT "donations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_provider_once" ON "checkouts" USING btree ("provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_open_once" ON "checkouts" USING btree ("user_id","product_id") WHERE "checkouts"."status" = 'open' and "checkouts"."purpose" = 'show' and "checkouts"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_open_plan_once" ON "checkouts" USING btree ("user_id") WHERE "checkouts"."status" = 'open' and "checkouts"."purpose" = 'plan';--> statement-breakpoint
CREATE INDEX "checkouts_open" ON "checkouts" USING btree ("expires_at") WHERE "checkouts"."status" = 'open';--> statement-breakpoint
CREATE INDEX "checkouts_of_product" ON "checkouts" USING btree ("product_id","created_at");--> statement-breakpoint
CREATE INDEX "checkouts_of_user" ON "checkouts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "checkouts_of_coupon" ON "checkouts" USING btree ("coupon_id");--> statement-breakpoint
CREATE UNIQUE INDEX "gifts_token_once" ON "gifts" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "gifts_checkout_once" ON "gifts" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "gifts_of_giver" ON "gifts" USING btree ("giver_id");--> statement-breakpoint
CREATE INDEX "gifts_of_product" ON "gifts" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "gifts_of_receiver" ON "gifts" USING btree ("redeemed_by");--> statement-breakpoint
CREATE INDEX "payment_cards_of_user" ON "payment_cards" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "payment_customers_of_user" ON "payment_customers" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_customers_main_once" ON "payment_customers" USING btree ("user_id") WHERE "payment_customers"."is_main";--> statement-breakpoint
CREATE INDEX "payment_events_waiting" ON "payment_events" USING btree ("received_at") WHERE "payment_events"."handled_at" is null;--> statement-breakpoint
CREATE INDEX "payment_events_at" ON "payment_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "refunds_of_sale" ON "refunds" USING btree ("sale_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sales_payment_once" ON "sales" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sales_receipt_once" ON "sales" USING btree ("legal_entity","receipt_number");--> statement-breakpoint
CREATE INDEX "sales_of_creator" ON "sales" USING btree ("creator_id","paid_at");--> statement-breakpoint
CREATE INDEX "sales_of_product" ON "sales" USING btree ("product_id","paid_at");--> statement-breakpoint
CREATE INDEX "sales_of_user" ON "sales" USING btree ("user_id","paid_at");--> statement-breakpoint
CREATE INDEX "sales_of_subscription" ON "sales" USING btree ("subscription_id","paid_at");--> statement-breakpoint
CREATE INDEX "sales_of_checkout" ON "sales" USING btree ("checkout_id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_provider_once" ON "subscriptions" USING btree ("provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_running_once" ON "subscriptions" USING btree ("user_id","product_id") WHERE "subscriptions"."ended_at" is null and "subscriptions"."purpose" = 'show';--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_running_plan_once" ON "subscriptions" USING btree ("creator_id") WHERE "subscriptions"."ended_at" is null and "subscriptions"."purpose" = 'plan';--> statement-breakpoint
CREATE INDEX "subscriptions_of_user" ON "subscriptions" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "subscriptions_of_product" ON "subscriptions" USING btree ("product_id","id");--> statement-breakpoint
CREATE INDEX "subscriptions_of_creator" ON "subscriptions" USING btree ("creator_id","purpose","id");--> statement-breakpoint
CREATE INDEX "subscriptions_of_customer" ON "subscriptions" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "subscriptions_past_due" ON "subscriptions" USING btree ("past_due_since") WHERE "subscriptions"."past_due_since" is not null and "subscriptions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "coupon_redemptions_of_coupon" ON "coupon_redemptions" USING btree ("coupon_id","state");--> statement-breakpoint
CREATE INDEX "coupon_redemptions_of_user" ON "coupon_redemptions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "coupons_code_once" ON "coupons" USING btree ("creator_id","code");--> statement-breakpoint
CREATE INDEX "coupons_of_creator" ON "coupons" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "coupons_of_product" ON "coupons" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "donations_checkout_once" ON "donations" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "donations_of_creator" ON "donations" USING btree ("creator_id","donated_at");--> statement-breakpoint
CREATE INDEX "donations_of_user" ON "donations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "donations_of_subscription" ON "donations" USING btree ("subscription_id");