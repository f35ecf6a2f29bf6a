CREATE TABLE "disputes" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"sale_id" bigint NOT NULL,
	"amount_minor" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text NOT NULL,
	"answer_by" timestamp with time zone,
	"disputed_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "disputes_of_sale" ON "disputes" USING btree ("sale_id");--> statement-breakpoint
CREATE INDEX "disputes_open" ON "disputes" USING btree ("answer_by") WHERE "disputes"."closed_at" is null;