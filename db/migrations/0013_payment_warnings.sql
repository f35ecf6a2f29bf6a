CREATE TABLE "payment_warnings" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"sale_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"reason" text NOT NULL,
	"warned_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_warnings" ADD CONSTRAINT "payment_warnings_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_warnings_of_sale" ON "payment_warnings" USING btree ("sale_id");--> statement-breakpoint
CREATE INDEX "payment_warnings_open" ON "payment_warnings" USING btree ("warned_at") WHERE "payment_warnings"."closed_at" is null;