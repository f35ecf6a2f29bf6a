CREATE TABLE "spotify_links" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"partner_user_id" text NOT NULL,
	"account_key" text,
	"account_name" text,
	"state" text NOT NULL,
	"registered_at" timestamp with time zone,
	"entitlements" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"synced_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"leased_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "spotify_links_state" CHECK ("spotify_links"."state" in ('linking', 'linked', 'unlinked'))
);
--> statement-breakpoint
CREATE TABLE "spotify_shows" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "spotify_shows_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"product_id" bigint NOT NULL,
	"state" text NOT NULL,
	"spotify_uri" text,
	"token_hash" text NOT NULL,
	"sealed_token" text NOT NULL,
	"remote_status" text,
	"remote_status_text" text,
	"problems" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"failure" text,
	"activated_at" timestamp with time zone NOT NULL,
	"checked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "spotify_shows_state" CHECK ("spotify_shows"."state" in ('by_hand', 'requested', 'submitted', 'live', 'rejected', 'unknown', 'leaving', 'removed'))
);
--> statement-breakpoint
ALTER TABLE "spotify_links" ADD CONSTRAINT "spotify_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spotify_shows" ADD CONSTRAINT "spotify_shows_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "spotify_links_partner_user_once" ON "spotify_links" USING btree ("partner_user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "spotify_links_account_once" ON "spotify_links" USING btree ("account_key");--> statement-breakpoint
CREATE UNIQUE INDEX "spotify_shows_product_once" ON "spotify_shows" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "spotify_shows_token_once" ON "spotify_shows" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "spotify_shows_to_check" ON "spotify_shows" USING btree ("checked_at") WHERE "spotify_shows"."state" in ('submitted', 'rejected', 'unknown', 'live');