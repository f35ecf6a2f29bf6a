CREATE TABLE "rss_import_items" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rss_import_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"import_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"guid" text NOT NULL,
	"name" text NOT NULL,
	"data" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"reason_params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp with time zone,
	"episode_id" bigint,
	"bytes" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "rss_import_items_state" CHECK ("rss_import_items"."state" in ('waiting', 'imported', 'updated', 'skipped', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "rss_imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rss_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"feed_url" text NOT NULL,
	"status" text NOT NULL,
	"preview" jsonb NOT NULL,
	"sent_to" text,
	"token_hash" text NOT NULL,
	"proof_code" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"proved_by_email" boolean DEFAULT false NOT NULL,
	"started_at" timestamp with time zone,
	"planned_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"step" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure_reason" text,
	"failure_params" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"product_id" bigint,
	"seen_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "rss_imports_status" CHECK ("rss_imports"."status" in ('awaiting_proof', 'confirmed', 'in_progress', 'imported', 'failed', 'cancelled', 'expired'))
);
--> statement-breakpoint
ALTER TABLE "rss_import_items" ADD CONSTRAINT "rss_import_items_import_id_rss_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."rss_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rss_import_items" ADD CONSTRAINT "rss_import_items_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rss_imports" ADD CONSTRAINT "rss_imports_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rss_imports" ADD CONSTRAINT "rss_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rss_imports" ADD CONSTRAINT "rss_imports_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "rss_import_items_once" ON "rss_import_items" USING btree ("import_id","guid");--> statement-breakpoint
CREATE INDEX "rss_import_items_in_order" ON "rss_import_items" USING btree ("import_id","position");--> statement-breakpoint
CREATE INDEX "rss_import_items_waiting" ON "rss_import_items" USING btree ("import_id","position") WHERE "rss_import_items"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "rss_import_items_of_episode" ON "rss_import_items" USING btree ("episode_id");--> statement-breakpoint
CREATE UNIQUE INDEX "rss_imports_one_at_a_time" ON "rss_imports" USING btree ("creator_id") WHERE "rss_imports"."status" in ('awaiting_proof', 'confirmed', 'in_progress');--> statement-breakpoint
CREATE UNIQUE INDEX "rss_imports_token_once" ON "rss_imports" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "rss_imports_of_creator" ON "rss_imports" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "rss_imports_of_product" ON "rss_imports" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "rss_imports_open" ON "rss_imports" USING btree ("status","confirmed_at") WHERE "rss_imports"."status" in ('awaiting_proof', 'confirmed', 'in_progress');