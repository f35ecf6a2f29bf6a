CREATE TABLE "operator_actions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "operator_actions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"operator" text NOT NULL,
	"action" text NOT NULL,
	"target" text NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payout_papers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payout_papers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"creator_id" bigint NOT NULL,
	"payout_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"number" integer NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"facts" jsonb NOT NULL,
	CONSTRAINT "payout_papers_number" CHECK ("payout_papers"."number" > 0)
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payouts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"creator_id" bigint NOT NULL,
	"currency" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"month" text NOT NULL,
	"status" text DEFAULT 'requested' NOT NULL,
	"method" text NOT NULL,
	"destination" text NOT NULL,
	"holder" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"requested_by" bigint NOT NULL,
	"approved_at" timestamp with time zone,
	"transfer_file" text,
	"paid_at" timestamp with time zone,
	"reversed_at" timestamp with time zone,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payouts_amount" CHECK ("payouts"."amount_minor" > 0),
	CONSTRAINT "payouts_month" CHECK ("payouts"."month" ~ '^[0-9]{4}-[0-9]{2}$'),
	CONSTRAINT "payouts_status" CHECK ("payouts"."status" in ('requested', 'approved', 'paid', 'reversed'))
);
--> statement-breakpoint
ALTER TABLE "payout_papers" ADD CONSTRAINT "payout_papers_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_papers" ADD CONSTRAINT "payout_papers_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_creator_id_creators_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."creators"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operator_actions_of_target" ON "operator_actions" USING btree ("target","id");--> statement-breakpoint
CREATE INDEX "operator_actions_at" ON "operator_actions" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_papers_number_once" ON "payout_papers" USING btree ("creator_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_papers_once" ON "payout_papers" USING btree ("payout_id","kind");--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_public_once" ON "payouts" USING btree ("public_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_once_a_month" ON "payouts" USING btree ("creator_id","currency","month") WHERE "payouts"."status" <> 'reversed';--> statement-breakpoint
CREATE INDEX "payouts_of_creator" ON "payouts" USING btree ("creator_id","id");--> statement-breakpoint
CREATE INDEX "payouts_by_status" ON "payouts" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "payouts_in_file" ON "payouts" USING btree ("transfer_file") WHERE "payouts"."transfer_file" is not null;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- what operators did, and papers that were issued, stay as they were
CREATE TRIGGER operator_actions_final BEFORE UPDATE OR DELETE ON operator_actions FOR EACH ROW EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
CREATE TRIGGER operator_actions_kept BEFORE TRUNCATE ON operator_actions FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
CREATE TRIGGER payout_papers_final BEFORE UPDATE OR DELETE ON payout_papers FOR EACH ROW EXECUTE FUNCTION ledger_is_final();--> statement-breakpoint
CREATE TRIGGER payout_papers_kept BEFORE TRUNCATE ON payout_papers FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_final();
