import { sql } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { contacts, mergedContacts, trackingConsents } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import type { Sighting } from '~/db/values/contacts';

/**
 * Stores on which day some contacts last read, if each of them agrees to it and the creator's setting is on at this moment.
 * Both are checked by the statement that writes: it skips a creator who is changing something, such as the setting, and a
 * consent that is being withdrawn. It waits for neither, because it holds what other creators need: a lost day is harmless.
 * A day that is stored already, or an older one, writes nothing.
 * @returns null for each, as for every recorder
 */
export async function insertSightings(db: Database, sightings: Sighting[]): Promise<null[]> {
  const rows = sightings.map(({ contactId, on }) => ({ contact: contactId, day: on }));
  await db.execute(sql`
    with seen as (
      select coalesce(m.contact_id, s.contact) as contact, max(s.day) as day
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as s (contact bigint, day date)
      left join ${mergedContacts} m on m.former_id = s.contact
      group by 1
    ), due as materialized (
      select k.creator_id, t.contact_id, t.given_at, seen.day
      from seen
      join ${contacts} k on k.id = seen.contact and k.status = 'active'
      join ${trackingConsents} t on t.contact_id = k.id
      where t.withdrawn_at is null and (t.last_seen_on is null or t.last_seen_on < seen.day)
    ), lists as materialized (
      select c.id from ${creators} c
      where c.id in (select creator_id from due) and c.tracks_readers_since is not null
      order by c.id for share skip locked
    ), locked as materialized (
      select t.contact_id, t.given_at, due.day
      from due join lists on lists.id = due.creator_id
      join ${trackingConsents} t on t.contact_id = due.contact_id and t.given_at = due.given_at
      where t.withdrawn_at is null and (t.last_seen_on is null or t.last_seen_on < due.day)
      order by t.contact_id for update of t skip locked
    )
    update ${trackingConsents} t set last_seen_on = locked.day
    from locked where t.contact_id = locked.contact_id and t.given_at = locked.given_at`);
  return sightings.map(() => null);
}
