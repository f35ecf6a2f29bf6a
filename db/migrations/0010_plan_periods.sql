CREATE TABLE "plan_periods" (
	"creator_id" bigint NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"plan" text NOT NULL,
	"subscription" text NOT NULL,
	CONSTRAINT "plan_periods_creator_id_starts_at_pk" PRIMARY KEY("creator_id","starts_at"),
	CONSTRAINT "plan_periods_end" CHECK ("plan_periods"."ends_at" is null or "plan_periods"."ends_at" >= "plan_periods"."starts_at")
);
--> statement-breakpoint
ALTER TABLE "creator_plans" ADD COLUMN "ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "plan_periods" ADD CONSTRAINT "plan_periods_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "plan_periods" ("creator_id", "starts_at", "ends_at", "plan", "subscription")
  SELECT "creator_id", "started_at", coalesce("ended_at", "ends_at"), "plan", "provider_id" FROM "subscriptions"
  WHERE "purpose" = 'plan' AND "plan" IS NOT NULL AND coalesce("ended_at", "ends_at", "started_at") >= "started_at"
  ON CONFLICT DO NOTHING;
