import { sql } from 'drizzle-orm';
import { contacts, deletedContacts, mergedContacts } from '~/db/schema/audience';
import { editionRecipients, editions } from '~/db/schema/newsletter';
import type { Ctx } from '../../runtime/ctx';
import { type AddressDigest, addressDigest, digestOf } from '../audience/suppressions';

type Tagged = {
  editionId: number | null;
  contactId: number | null;
  kind: string;
  email: string | null;
  at: Date;
};
/** `email`: null if only the digest of the address is known. */
export type LostRecipient<T> = T & AddressDigest & { email: string | null };
type Row = { position: number; creator_id: string; digest: string; email: string | null };

/**
 * Events about emails whose recipients went with their contacts (docs/decisions/0348). The address is still that of the
 * contact that has come since, or that came back when its deletion was undone. An event from before its owner has confirmed
 * it again says nothing about it.
 */
export async function findLostRecipients<T extends Tagged>({ db }: Ctx, events: T[]): Promise<LostRecipient<T>[]> {
  const tagged = events.flatMap(({ editionId, contactId, at }, position) =>
    editionId === null || contactId === null ? [] : [{ position, edition_id: editionId, contact_id: contactId, at }],
  );
  if (tagged.length === 0) return [];
  const rows = await db.execute<Row>(sql`
    select l.position, l.creator_id, coalesce(${addressDigest(sql`c.email`)}, l.digest) as digest, c.email
    from (
      select t.position, e.creator_id, coalesce(m.contact_id, t.contact_id) as contact_id, d.address_digest as digest, t.at
      from jsonb_to_recordset(${JSON.stringify(tagged)}::text::jsonb) 
        as t(position int, edition_id bigint, contact_id bigint, at timestamptz)
      join ${editions} e on e.id = t.edition_id
      left join ${mergedContacts} m on m.former_id = t.contact_id
      left join ${deletedContacts} d on d.contact_id = t.contact_id and d.creator_id = e.creator_id
      where not exists (
        select from ${editionRecipients} r
        where r.edition_id = t.edition_id and r.contact_id = coalesce(m.contact_id, t.contact_id))
    ) l
    left join lateral (
      select c.email, c.confirmed_at from ${contacts} c
      where c.creator_id = l.creator_id and (c.id = l.contact_id or ${addressDigest(sql`c.email`)} = l.digest)
      order by c.id = l.contact_id desc limit 1
    ) c on true
    where (l.digest is not null or c.email is not null) and (c.confirmed_at is null or c.confirmed_at <= l.at)
    order by l.position`);
  return rows.flatMap((row) => {
    const event = events[row.position]!;
    const { digest } = row;
    const isTo = event.email !== null && digestOf(event.email) === digest;
    if (!isTo && event.kind !== 'complaint') return [];
    return [{ ...event, creatorId: Number(row.creator_id), digest, email: row.email ?? (isTo ? event.email : null) }];
  });
}
