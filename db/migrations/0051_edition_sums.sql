-- The former release may be running: what it writes between the count and the end of this migration would be in no sum.
LOCK TABLE edition_recipients IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "edition_sums" (
	"edition_id" bigint NOT NULL,
	"state" text NOT NULL,
	"reason" text NOT NULL,
	"emails" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "edition_sums" ADD CONSTRAINT "edition_sums_edition_id_editions_id_fk" FOREIGN KEY ("edition_id") REFERENCES "public"."editions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "edition_sums_of_edition" ON "edition_sums" USING btree ("edition_id","state","reason");--> statement-breakpoint
CREATE INDEX "contacts_left" ON "contacts" USING btree ("creator_id","status_at") WHERE "contacts"."inactive_as" = 'unsubscribed';--> statement-breakpoint
CREATE INDEX "edition_recipients_returned" ON "edition_recipients" USING btree ("edition_id") WHERE "edition_recipients"."state" in ('bounced', 'failed');--> statement-breakpoint
-- No statement waits for another one: if each row of a sum is being changed by another transaction, a further row gets the difference. So two
-- workers lease at the same time, and no order of locks matters. An edition that is being deleted gets no row.
CREATE FUNCTION sum_edition_recipients() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  d record;
BEGIN
  FOR d IN EXECUTE format($q$
    SELECT r.edition_id, r.state, CASE WHEN r.state = 'skipped' THEN coalesce(r.answer, '') ELSE '' END AS reason, sum(r.n)::integer AS n
    FROM (%s) r GROUP BY 1, 2, 3 HAVING sum(r.n) <> 0
    $q$, concat_ws(' UNION ALL ',
      CASE WHEN TG_OP <> 'INSERT' THEN 'SELECT *, -1 AS n FROM old_rows' END,
      CASE WHEN TG_OP <> 'DELETE' THEN 'SELECT *, 1 AS n FROM new_rows' END))
  LOOP
    UPDATE edition_sums SET emails = emails + d.n WHERE ctid = (
      SELECT ctid FROM edition_sums WHERE edition_id = d.edition_id AND state = d.state AND reason = d.reason
      LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
      INSERT INTO edition_sums (edition_id, state, reason, emails)
        SELECT id, d.state, d.reason, d.n FROM editions WHERE id = d.edition_id;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER edition_recipients_summed_insert AFTER INSERT ON edition_recipients REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_edition_recipients();--> statement-breakpoint
CREATE TRIGGER edition_recipients_summed_update AFTER UPDATE ON edition_recipients REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_edition_recipients();--> statement-breakpoint
CREATE TRIGGER edition_recipients_summed_delete AFTER DELETE ON edition_recipients REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_edition_recipients();--> statement-breakpoint
INSERT INTO edition_sums (edition_id, state, reason, emails)
  SELECT edition_id, state, CASE WHEN state = 'skipped' THEN coalesce(answer, '') ELSE '' END, count(*) FROM edition_recipients GROUP BY 1, 2, 3;
