import { sql } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { editionRecipients } from '~/db/schema/newsletter';
import { SENDING_LIMITS } from '../../limits/newsletter';
import type { TxCtx } from '../../runtime/ctx';
import { isUnreachable } from './rules';

type Row = { contact_id: string; statuses: (string | null)[]; since: string; until: string };

/**
 * Those of some contacts whose last emails have all come back, although none of them said that the address does not exist.
 * Emails from before the contact became active say nothing about it.
 * @param contactIds whose emails have just come back
 */
export async function findUnreachable(tx: TxCtx, contactIds: number[]): Promise<number[]> {
  if (contactIds.length === 0) return [];
  const rows = await tx.db.execute<Row>(sql`
    select c.id as contact_id, last.statuses, last.since, last.until
    from jsonb_array_elements_text(${JSON.stringify(contactIds)}::text::jsonb) as given(id)
    join ${contacts} c on c.id = given.id::bigint and c.status = 'active'
    cross join lateral (
      select jsonb_agg(case when state in ('bounced', 'failed')
          then substring(answer from '\\m[245]\\.\\d{1,3}\\.\\d{1,3}\\M') end) as statuses,
        min(settled_at) as since, max(settled_at) as until
      from (
        select r.state, r.answer, r.settled_at from ${editionRecipients} r
        where r.contact_id = c.id and r.state in ('sent', 'bounced', 'failed', 'complained') and r.settled_at > c.status_at
        order by r.settled_at desc limit ${SENDING_LIMITS.softBounces}) latest
      having count(*) = ${SENDING_LIMITS.softBounces}) last`);
  return rows
    .filter(({ statuses, since, until }) => isUnreachable(statuses, new Date(since), new Date(until)))
    .map((row) => Number(row.contact_id));
}
