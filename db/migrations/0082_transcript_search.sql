CREATE TABLE "transcript_search" (
	"episode_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"product_id" bigint NOT NULL,
	"start_ms" integer,
	"text" text NOT NULL,
	"words" "tsvector" NOT NULL,
	CONSTRAINT "transcript_search_episode_id_position_pk" PRIMARY KEY("episode_id","position")
);
--> statement-breakpoint
CREATE TABLE "unsearched_transcripts" (
	"episode_id" bigint PRIMARY KEY NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "transcript_search" ADD CONSTRAINT "transcript_search_episode_id_episode_transcripts_episode_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episode_transcripts"("episode_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unsearched_transcripts" ADD CONSTRAINT "unsearched_transcripts_episode_id_episode_transcripts_episode_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episode_transcripts"("episode_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transcript_search_words" ON "transcript_search" USING gin ("words") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "transcript_search_of_product" ON "transcript_search" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "unsearched_transcripts_order" ON "unsearched_transcripts" USING btree ("changed_at");--> statement-breakpoint
-- The pieces of a transcript that is searched: passages one after the other, of about 200 characters together.
CREATE FUNCTION index_transcript_for_search(id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM transcript_search s WHERE s.episode_id = index_transcript_for_search.id;
  INSERT INTO transcript_search (episode_id, position, product_id, start_ms, text, words)
  SELECT piece.episode_id, piece.position, piece.product_id, piece.start_ms, piece.text,
    strip(to_tsvector(search_config(piece.language), search_text(piece.text)))
  FROM (
    SELECT t.episode_id, e.product_id, t.language, cue.place AS position, min(cue.start_ms) AS start_ms,
      string_agg(cue.text, ' ' ORDER BY cue.number) AS text
    FROM episode_transcripts t JOIN episodes e ON e.id = t.episode_id
    CROSS JOIN LATERAL (
      SELECT number, value ->> 'text' AS text, (value ->> 'startMs')::bigint AS start_ms,
        (sum(length(value ->> 'text')) OVER (ORDER BY number) - length(value ->> 'text')) / 200 AS place
      FROM jsonb_array_elements(t.cues) WITH ORDINALITY AS each_cue (value, number)
    ) cue
    WHERE t.episode_id = index_transcript_for_search.id
    GROUP BY t.episode_id, e.product_id, t.language, cue.place
  ) piece
  WHERE piece.start_ms IS NULL OR piece.start_ms < 2147483647;
END $$;--> statement-breakpoint
-- The row is written again on each change, so that the job that reads it waits for the end of a change that is under way.
CREATE FUNCTION transcript_changed_for_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unsearched_transcripts AS u (episode_id, changed_at) VALUES (NEW.episode_id, now())
  ON CONFLICT (episode_id) DO UPDATE SET changed_at = excluded.changed_at;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER transcripts_for_search AFTER INSERT OR UPDATE OF cues, language ON episode_transcripts
  FOR EACH ROW EXECUTE FUNCTION transcript_changed_for_search();--> statement-breakpoint
INSERT INTO unsearched_transcripts (episode_id, changed_at) SELECT episode_id, updated_at FROM episode_transcripts;
