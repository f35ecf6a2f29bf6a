CREATE TABLE "listening_months" (
	"creator_id" bigint NOT NULL,
	"product_id" bigint NOT NULL,
	"month" date NOT NULL,
	"plays" integer NOT NULL,
	"dimensions" jsonb NOT NULL,
	CONSTRAINT "listening_months_creator_id_product_id_month_pk" PRIMARY KEY("creator_id","product_id","month")
);
--> statement-breakpoint
ALTER TABLE "episode_totals" ADD COLUMN "released_hour" integer;--> statement-breakpoint
ALTER TABLE "episode_totals" ADD COLUMN "starts_plays" bigint;--> statement-breakpoint
ALTER TABLE "episode_totals" ADD COLUMN "first_24h" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "episode_totals" ADD COLUMN "first_7d" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "episode_totals" ADD COLUMN "first_30d" bigint DEFAULT 0 NOT NULL;