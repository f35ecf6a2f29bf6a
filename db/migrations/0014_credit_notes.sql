CREATE TABLE "credit_note_counters" (
	"legal_entity" text PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credit_notes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "credit_notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sale_id" bigint NOT NULL,
	"refund_id" text NOT NULL,
	"kind" text NOT NULL,
	"legal_entity" text NOT NULL,
	"number" integer NOT NULL,
	"amount_minor" integer NOT NULL,
	"vat_minor" integer NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "credit_minor" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_refund_id_refunds_provider_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("provider_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "credit_notes_refund_once" ON "credit_notes" USING btree ("refund_id","kind");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_notes_number_once" ON "credit_notes" USING btree ("legal_entity","number");--> statement-breakpoint
CREATE INDEX "credit_notes_of_sale" ON "credit_notes" USING btree ("sale_id");