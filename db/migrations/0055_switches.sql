CREATE TABLE "switches" (
	"name" text PRIMARY KEY NOT NULL,
	"percent" integer NOT NULL,
	"creator_ids" bigint[] DEFAULT '{}' NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"changed_by" text NOT NULL,
	CONSTRAINT "switches_percent" CHECK ("switches"."percent" between 0 and 100)
);
