import { sql } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { automationEnrolments } from '~/db/schema/automations';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import type { TxCtx } from '../../runtime/ctx';

/**
 * Before two contacts become one (`audience/move-contacts`): the one that stays takes over the other's emails, both those
 * that it got and those that wait, and goes on with its automations. What it has of its own stays. An email that a worker
 * has leased becomes `unknown`, because it may be leaving now; so it is never sent twice.
 */
export async function moveSeries(tx: TxCtx, { userId, email }: { userId: number; email: string }): Promise<void> {
  const now = sql`${tx.now().toISOString()}::timestamptz`;
  const pairs = sql`
    select o.id as former, n.id as kept, o.status_at as former_since, n.status_at as kept_since
    from ${contacts} o join ${contacts} n on n.creator_id = o.creator_id and n.email = ${email}
    where o.user_id = ${userId} and o.email <> ${email}`;
  const isOwn = sql`exists (
    select from ${automationEnrolments} own where own.automation_id = e.automation_id and own.contact_id = p.kept)`;
  // a series that has ended, because its reader left, does not start again with the other contact
  const hasLeft = sql`exists (
    select from ${automationEnrolments} former where former.automation_id = e.automation_id
      and former.contact_id = p.former and former.enrolled_at < p.former_since)`;
  await tx.db.execute(sql`
    insert into ${editionRecipients} (edition_id, contact_id, pays, state, attempts, due_at, answer, settled_at)
    select r.edition_id, p.kept, r.pays,
      case when r.state = 'leased' then 'unknown' when r.state = 'waiting' and ${hasLeft} then 'skipped' else r.state end,
      r.attempts, case when r.state = 'waiting' and not ${hasLeft} then r.due_at end,
      case when r.state = 'waiting' and ${hasLeft} then 'left' else r.answer end,
      case when r.state = 'leased' or (r.state = 'waiting' and ${hasLeft}) then ${now} else r.settled_at end
    from (${pairs}) p join ${editionRecipients} r on r.contact_id = p.former join ${editions} e on e.id = r.edition_id
    where not ${isOwn} on conflict do nothing`);
  await tx.db.execute(sql`
    insert into ${automationEnrolments} (automation_id, contact_id, product_id, enrolled_at)
    select e.automation_id, p.kept, e.product_id, greatest(e.enrolled_at, p.kept_since)
    from (${pairs}) p join ${automationEnrolments} e on e.contact_id = p.former on conflict do nothing`);
}
