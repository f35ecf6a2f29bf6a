CREATE TABLE "legacy_plays" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "legacy_plays_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"episode_id" bigint NOT NULL,
	"caller" "bytea" NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "legacy_plays" ADD CONSTRAINT "legacy_plays_episode_id_episodes_id_fk" FOREIGN KEY ("episode_id") REFERENCES "public"."episodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "legacy_plays_of_caller" ON "legacy_plays" USING btree ("episode_id","caller","at");--> statement-breakpoint
CREATE INDEX "legacy_plays_by_age" ON "legacy_plays" USING btree ("at");