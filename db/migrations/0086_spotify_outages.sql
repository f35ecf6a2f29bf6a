CREATE TABLE "spotify_outages" (
	"service" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"retry_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "spotify_outages_service" CHECK ("spotify_outages"."service" in ('open_access', 'delivery'))
);
