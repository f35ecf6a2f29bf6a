CREATE TABLE "newsletter_recommendations" (
	"creator_id" bigint NOT NULL,
	"recommended_id" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "newsletter_recommendations_creator_id_recommended_id_pk" PRIMARY KEY("creator_id","recommended_id"),
	CONSTRAINT "newsletter_recommendations_of_others" CHECK ("newsletter_recommendations"."creator_id" <> "newsletter_recommendations"."recommended_id")
);
--> statement-breakpoint
ALTER TABLE "contact_sources" DROP CONSTRAINT "contact_sources_source";--> statement-breakpoint
ALTER TABLE "newsletters" ADD COLUMN "may_be_recommended" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "newsletter_recommendations" ADD CONSTRAINT "newsletter_recommendations_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "newsletter_recommendations" ADD CONSTRAINT "newsletter_recommendations_recommended_id_creators_id_fk" FOREIGN KEY ("recommended_id") REFERENCES "public"."creators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "newsletter_recommendations_of_recommended" ON "newsletter_recommendations" USING btree ("recommended_id");--> statement-breakpoint
ALTER TABLE "contact_sources" ADD CONSTRAINT "contact_sources_source" CHECK ("contact_sources"."source" in ('form', 'follow', 'purchase', 'subscription', 'donation', 'manual', 'import', 'recommendation'));