CREATE TABLE "contacts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contacts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"email" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"source" text NOT NULL,
	"status" text NOT NULL,
	"language" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contacts_status" CHECK ("contacts"."status" in ('pending', 'active', 'inactive')),
	CONSTRAINT "contacts_source" CHECK ("contacts"."source" in ('form', 'follow', 'manual', 'import'))
);
--> statement-breakpoint
CREATE TABLE "feed_links" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "feed_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"app" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"sealed_token" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"replaced_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "episode_positions" (
	"user_id" bigint NOT NULL,
	"episode_id" bigint NOT NULL,
	"position_ms" integer NOT NULL,
	"finished_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "episode_positions_user_id_episode_id_pk" PRIMARY KEY("user_id","episode_id")
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_links" ADD CONSTRAINT "feed_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_links" ADD CONSTRAINT "feed_links_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_positions" ADD CONSTRAINT "episode_positions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_positions" ADD CONSTRAINT "episode_positions_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_once" ON "contacts" USING btree ("creator_id","email");--> statement-breakpoint
CREATE INDEX "contacts_newest" ON "contacts" USING btree ("creator_id","status","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "feed_links_token_once" ON "feed_links" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "feed_links_current_once" ON "feed_links" USING btree ("user_id","product_id","app") WHERE "feed_links"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "feed_links_of_product" ON "feed_links" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "episode_positions_latest" ON "episode_positions" USING btree ("user_id","updated_at");--> statement-breakpoint
CREATE INDEX "episode_positions_of_episode" ON "episode_positions" USING btree ("episode_id");