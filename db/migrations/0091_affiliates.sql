CREATE TABLE "affiliate_days" (
	"link_id" bigint NOT NULL,
	"day" date NOT NULL,
	"visits" integer NOT NULL,
	CONSTRAINT "affiliate_days_link_id_day_pk" PRIMARY KEY("link_id","day")
);
--> statement-breakpoint
CREATE TABLE "affiliate_links" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "affiliate_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"name" text NOT NULL,
	"code" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "affiliate_links_code" CHECK ("affiliate_links"."code" ~ '^[a-z0-9-]{4,32}$')
);
--> statement-breakpoint
CREATE TABLE "affiliate_shares" (
	"sale_id" bigint PRIMARY KEY NOT NULL,
	"referral_id" bigint NOT NULL,
	"currency" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"returned_minor" integer DEFAULT 0 NOT NULL,
	"available_at" timestamp with time zone NOT NULL,
	CONSTRAINT "affiliate_shares_amount" CHECK ("affiliate_shares"."amount_minor" > 0),
	CONSTRAINT "affiliate_shares_returned" CHECK ("affiliate_shares"."returned_minor" between 0 and "affiliate_shares"."amount_minor")
);
--> statement-breakpoint
CREATE TABLE "affiliate_visits" (
	"link_id" bigint NOT NULL,
	"day" date NOT NULL,
	"visitor" text NOT NULL,
	CONSTRAINT "affiliate_visits_link_id_day_visitor_pk" PRIMARY KEY("link_id","day","visitor")
);
--> statement-breakpoint
CREATE TABLE "affiliates" (
	"creator_id" bigint PRIMARY KEY NOT NULL,
	"terms_accepted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "referrals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "referrals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"link_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"refused_for" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "referrals_refused_for" CHECK ("referrals"."refused_for" in ('own_account', 'same_team', 'same_email', 'same_card', 'same_payout'))
);
--> statement-breakpoint
ALTER TABLE "affiliate_days" ADD CONSTRAINT "affiliate_days_link_id_affiliate_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."affiliate_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "affiliate_links" ADD CONSTRAINT "affiliate_links_creator_id_affiliates_creator_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."affiliates"("creator_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "affiliate_shares" ADD CONSTRAINT "affiliate_shares_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "affiliate_shares" ADD CONSTRAINT "affiliate_shares_referral_id_referrals_id_fk" FOREIGN KEY ("referral_id") REFERENCES "public"."referrals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "affiliate_visits" ADD CONSTRAINT "affiliate_visits_link_id_affiliate_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."affiliate_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "affiliates" ADD CONSTRAINT "affiliates_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_link_id_affiliate_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."affiliate_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "affiliate_days_day" ON "affiliate_days" USING btree ("day");--> statement-breakpoint
CREATE UNIQUE INDEX "affiliate_links_code_once" ON "affiliate_links" USING btree ("code");--> statement-breakpoint
CREATE INDEX "affiliate_links_of_creator" ON "affiliate_links" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "affiliate_shares_of_referral" ON "affiliate_shares" USING btree ("referral_id");--> statement-breakpoint
CREATE INDEX "affiliate_visits_day" ON "affiliate_visits" USING btree ("day");--> statement-breakpoint
CREATE UNIQUE INDEX "referrals_once" ON "referrals" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "referrals_of_link" ON "referrals" USING btree ("link_id");