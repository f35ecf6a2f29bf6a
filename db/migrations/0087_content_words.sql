CREATE TABLE "content_words" (
	"hash" text PRIMARY KEY NOT NULL,
	"words" "tsvector" NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);
