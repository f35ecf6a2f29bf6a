CREATE TABLE "provider_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"key" text,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"payment" text,
	"source" text,
	"fee_id" text,
	"charge" text,
	"at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reconciliation_differences" (
	"key" text NOT NULL,
	"currency" text NOT NULL,
	"creator_id" bigint,
	"product_id" bigint,
	"ours_minor" bigint,
	"theirs_minor" bigint,
	"at" timestamp with time zone NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "reconciliation_differences_key_currency_pk" PRIMARY KEY("key","currency")
);
--> statement-breakpoint
CREATE TABLE "reconciliations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reconciliations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"entries" integer DEFAULT 0 NOT NULL,
	"differences" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "charge_id" text;--> statement-breakpoint
ALTER TABLE "reconciliation_differences" ADD CONSTRAINT "reconciliation_differences_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reconciliation_differences" ADD CONSTRAINT "reconciliation_differences_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provider_entries_at" ON "provider_entries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "provider_entries_fees" ON "provider_entries" USING btree ("fee_id") WHERE "provider_entries"."kind" = 'application_fee';--> statement-breakpoint
CREATE INDEX "reconciliation_differences_open" ON "reconciliation_differences" USING btree ("at") WHERE "reconciliation_differences"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "reconciliations_finished" ON "reconciliations" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "sales_of_charge" ON "sales" USING btree ("charge_id") WHERE "sales"."seller_account" is not null;