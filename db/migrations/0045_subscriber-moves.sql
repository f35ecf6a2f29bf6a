CREATE TABLE "copied_customers" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "old_feed_addresses" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"sealed_url" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "subscriber_import_lines" (
	"import_id" bigint NOT NULL,
	"line" integer NOT NULL,
	"email" text,
	"name" text NOT NULL,
	"customer_id" text,
	"subscription_id" text,
	"price_minor" integer,
	"currency" text,
	"every" text,
	"renews_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"has_ended" boolean NOT NULL,
	"sealed_feed" text,
	"feed_hash" "bytea",
	"fault" text,
	"state" text NOT NULL,
	"outcome" text,
	"reason" text,
	"checkout_id" uuid,
	"user_id" bigint,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp with time zone,
	"failure" text,
	"done_at" timestamp with time zone,
	CONSTRAINT "subscriber_import_lines_import_id_line_pk" PRIMARY KEY("import_id","line")
);
--> statement-breakpoint
CREATE TABLE "subscriber_imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "subscriber_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"file_name" text NOT NULL,
	"file_key" text NOT NULL,
	"format" text NOT NULL,
	"account" text,
	"status" text NOT NULL,
	"step" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lines" integer DEFAULT 0 NOT NULL,
	"statement" text,
	"sends_welcome" boolean DEFAULT false NOT NULL,
	"confirmed_at" timestamp with time zone,
	"confirmed_by" bigint,
	"ended_at" timestamp with time zone,
	"failure_reason" text,
	"failure_params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriber_move_lines" (
	"move_id" bigint NOT NULL,
	"subscription_id" bigint NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"from_id" text NOT NULL,
	"to_id" text,
	"customer_id" text,
	"card_id" text,
	"renews_at" timestamp with time zone NOT NULL,
	"price_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"every" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp with time zone,
	"failure" text,
	"moved_at" timestamp with time zone,
	CONSTRAINT "subscriber_move_lines_move_id_subscription_id_pk" PRIMARY KEY("move_id","subscription_id"),
	CONSTRAINT "subscriber_move_lines_state" CHECK ("subscriber_move_lines"."state" in ('waiting', 'moving', 'moved', 'stays', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "subscriber_moves" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "subscriber_moves_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"account" text NOT NULL,
	"status" text NOT NULL,
	"step" integer DEFAULT 0 NOT NULL,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "copied_customers" ADD CONSTRAINT "copied_customers_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "old_feed_addresses" ADD CONSTRAINT "old_feed_addresses_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "old_feed_addresses" ADD CONSTRAINT "old_feed_addresses_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "old_feed_addresses" ADD CONSTRAINT "old_feed_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_import_lines" ADD CONSTRAINT "subscriber_import_lines_import_id_subscriber_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."subscriber_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_import_lines" ADD CONSTRAINT "subscriber_import_lines_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_imports" ADD CONSTRAINT "subscriber_imports_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_imports" ADD CONSTRAINT "subscriber_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_imports" ADD CONSTRAINT "subscriber_imports_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_imports" ADD CONSTRAINT "subscriber_imports_confirmed_by_users_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_move_lines" ADD CONSTRAINT "subscriber_move_lines_move_id_subscriber_moves_id_fk" FOREIGN KEY ("move_id") REFERENCES "public"."subscriber_moves"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_move_lines" ADD CONSTRAINT "subscriber_move_lines_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_moves" ADD CONSTRAINT "subscriber_moves_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "copied_customers_of_creator" ON "copied_customers" USING btree ("creator_id");--> statement-breakpoint
CREATE INDEX "old_feed_addresses_of_creator" ON "old_feed_addresses" USING btree ("creator_id","hash");--> statement-breakpoint
CREATE INDEX "old_feed_addresses_of_user" ON "old_feed_addresses" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "subscriber_import_lines_waiting" ON "subscriber_import_lines" USING btree ("import_id","state","line") WHERE "subscriber_import_lines"."state" in ('read', 'checked') and "subscriber_import_lines"."outcome" is distinct from 'skip';--> statement-breakpoint
CREATE INDEX "subscriber_import_lines_of_email" ON "subscriber_import_lines" USING btree ("import_id","email","line");--> statement-breakpoint
CREATE INDEX "subscriber_import_lines_of_customer" ON "subscriber_import_lines" USING btree ("import_id","customer_id","line");--> statement-breakpoint
CREATE INDEX "subscriber_import_lines_of_subscription" ON "subscriber_import_lines" USING btree ("import_id","subscription_id","line");--> statement-breakpoint
CREATE INDEX "subscriber_import_lines_of_user" ON "subscriber_import_lines" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriber_imports_one_at_a_time" ON "subscriber_imports" USING btree ("creator_id") WHERE "subscriber_imports"."status" in ('reading', 'checking', 'ready', 'running');--> statement-breakpoint
CREATE INDEX "subscriber_imports_of_creator" ON "subscriber_imports" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "subscriber_imports_working" ON "subscriber_imports" USING btree ("updated_at") WHERE "subscriber_imports"."status" in ('reading', 'checking', 'running');--> statement-breakpoint
CREATE INDEX "subscriber_imports_ended" ON "subscriber_imports" USING btree ("ended_at") WHERE "subscriber_imports"."ended_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "subscriber_move_lines_once" ON "subscriber_move_lines" USING btree ("subscription_id") WHERE "subscriber_move_lines"."state" in ('waiting', 'moving', 'moved');--> statement-breakpoint
CREATE INDEX "subscriber_move_lines_waiting" ON "subscriber_move_lines" USING btree ("move_id","renews_at") WHERE "subscriber_move_lines"."state" in ('waiting', 'moving');--> statement-breakpoint
CREATE INDEX "subscriber_move_lines_from" ON "subscriber_move_lines" USING btree ("from_id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriber_moves_one_at_a_time" ON "subscriber_moves" USING btree ("creator_id") WHERE "subscriber_moves"."status" = 'running';--> statement-breakpoint
CREATE INDEX "subscriber_moves_of_creator" ON "subscriber_moves" USING btree ("creator_id","id");