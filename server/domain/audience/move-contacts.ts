import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import {
  contactConsents,
  contactFormerAddresses,
  contactSources,
  contacts,
  mergedContacts,
  suppressions,
  taggedContacts,
  trackingConsents,
} from '~/db/schema/audience';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockAddress } from '../notifications/address-links';
import { lockLists } from './leave-newsletter';
import { addressDigest } from './suppressions';

type Moved = { userId: number; email: string };
type TakeAlong = (tx: TxCtx, moved: Moved) => Promise<void>;

/**
 * The job after the address of an account has changed: each creator's contact goes along, since the former address may
 * be read by somebody else. Whoever has left stays away; that an address bounced says nothing about the new one. If the
 * new address is on the list already, the two contacts become one. Contacts that a creator has deleted do not come back.
 * @param takeAlong moves what later rooms know of contacts that become a part of others, before they go
 */
export async function moveContacts(ctx: Ctx, { userId }: { userId: number }, takeAlong: TakeAlong): Promise<void> {
  await transact(ctx, async (tx) => {
    const [user] = await tx.db.select({ email: users.email }).from(users).where(eq(users.id, userId)).for('update');
    if (!user) return;
    await lockLists(tx, eq(contacts.userId, userId));
    await lockAddress(tx, user.email);
    const moved = { userId, email: user.email };
    await lockPairs(tx, moved);
    await takeLeavesAlong(tx, moved);
    await takeAlong(tx, moved);
    await endWithdrawn(tx, moved);
    await joinContacts(tx, moved);
    await renameContacts(tx, moved);
    await endSuppressed(tx, moved);
  });
}

const former = ({ userId, email }: Moved) => sql`o.user_id = ${userId} and o.email <> ${email}`;
const instantOf = (tx: TxCtx) => sql`${tx.now().toISOString()}::timestamptz`;

/** In the order of ids, as bounces and complaints lock them, and before the rows of their emails. */
async function lockPairs({ db }: TxCtx, { userId, email }: Moved): Promise<void> {
  const own = eq(contacts.userId, userId);
  const lists = db.select({ id: contacts.creatorId }).from(contacts).where(own);
  const isOfPair = or(own, and(eq(contacts.email, email), inArray(contacts.creatorId, lists)));
  await db.select({ id: contacts.id }).from(contacts).where(isOfPair).orderBy(contacts.id).for('update');
}

function takeLeavesAlong(tx: TxCtx, moved: Moved) {
  return tx.db.execute(sql`
    insert into ${suppressions} (creator_id, address_digest, reason, created_at)
    select l.creator_id, ${addressDigest(sql`${moved.email}::text`)}, l.reason, ${instantOf(tx)}
    from (
      -- a bounce may have replaced in the suppression that the person had left
      select o.creator_id, coalesce(nullif(s.reason, 'bounced'), case when o.status = 'inactive' and o.status_reason <> 'creator'
        then coalesce(o.inactive_as, 'unsubscribed') end) as reason
      from ${contacts} o
      left join ${suppressions} s on s.creator_id = o.creator_id and s.address_digest = ${addressDigest(sql`o.email`)}
      where ${former(moved)}
    ) l
    where l.reason <> 'bounced'
    on conflict do nothing`);
}

/** Of all consents and withdrawals of contacts that become one, the latest counts. */
async function endWithdrawn(tx: TxCtx, moved: Moved) {
  await tx.db.execute(sql`
    with members as materialized (
      select c.id, c.creator_id from ${contacts} c
      where c.user_id = ${moved.userId} or (c.email = ${moved.email}
        and c.creator_id in (select o.creator_id from ${contacts} o where ${former(moved)}))
    ), ends as (
      select m.creator_id, max(t.withdrawn_at) as at
      from members m join ${trackingConsents} t on t.contact_id = m.id
      group by m.creator_id
      having max(t.withdrawn_at) > max(t.given_at) filter (where t.withdrawn_at is null)
    )
    update ${trackingConsents} t set withdrawn_at = ends.at, last_seen_on = null
    from members m join ends on ends.creator_id = m.creator_id
    where t.contact_id = m.id and t.withdrawn_at is null`);
}

/** The contact with the new address takes the tags, sources and consents of the former one, which goes. */
async function joinContacts(tx: TxCtx, moved: Moved) {
  const pairs = sql`
    pairs as (
      select o.id as former, n.id as kept, n.creator_id from ${contacts} o
      join ${contacts} n on n.creator_id = o.creator_id and n.email = ${moved.email}
      where ${former(moved)}
    )`;
  const waits = sql`n.status = 'pending' and o.status <> 'pending'`;
  const hasLeft = sql`o.status = 'inactive' and o.inactive_as is distinct from 'bounced'`;
  await tx.db.execute(sql`
    with ${pairs}, tags as (
      insert into ${taggedContacts} (tag_id, contact_id)
      select t.tag_id, p.kept from pairs p join ${taggedContacts} t on t.contact_id = p.former on conflict do nothing
    ), sources as (
      insert into ${contactSources} (contact_id, creator_id, source, created_at)
      select p.kept, p.creator_id, s.source, s.created_at
      from pairs p join ${contactSources} s on s.contact_id = p.former on conflict do nothing
    ), consents as (
      insert into ${contactConsents} (contact_id, given_at, source, text)
      select p.kept, c.given_at, c.source, c.text
      from pairs p join ${contactConsents} c on c.contact_id = p.former on conflict do nothing
    ), tracking as (
      insert into ${trackingConsents} (contact_id, given_at, text, withdrawn_at, last_seen_on)
      select p.kept, t.given_at, t.text, t.withdrawn_at, t.last_seen_on
      from pairs p join ${trackingConsents} t on t.contact_id = p.former on conflict do nothing
    ), seen as (
      -- if both have agreed, one consent stays, with the later day
      update ${trackingConsents} k set last_seen_on = greatest(k.last_seen_on, t.last_seen_on)
      from pairs p join ${trackingConsents} t on t.contact_id = p.former and t.withdrawn_at is null
      where k.contact_id = p.kept and k.withdrawn_at is null
    ), former_addresses as (
      insert into ${contactFormerAddresses} (contact_id, address_digest)
      select p.kept, ${addressDigest(sql`o.email`)} from pairs p join ${contacts} o on o.id = p.former
      union select p.kept, f.address_digest
      from pairs p join ${contactFormerAddresses} f on f.contact_id = p.former on conflict do nothing
    ), links as (
      insert into ${mergedContacts} (former_id, contact_id)
      select p.former, p.kept from pairs p
      union all select m.former_id, p.kept from pairs p join ${mergedContacts} m on m.contact_id = p.former
      on conflict (former_id) do update set contact_id = excluded.contact_id
    )
    update ${contacts} n set user_id = ${moved.userId},
      -- a contact that only waits for its confirmation would be deleted soon
      status = case when ${waits} then case when ${hasLeft} then 'inactive' else 'active' end else n.status end,
      inactive_as = case when ${waits} and ${hasLeft} then o.inactive_as else n.inactive_as end,
      status_reason = case when ${waits} then o.status_reason else n.status_reason end,
      status_at = case when ${waits} then o.status_at else n.status_at end
    from pairs p join ${contacts} o on o.id = p.former where n.id = p.kept`);
  await tx.db.execute(sql`with ${pairs} delete from ${contacts} where id in (select former from pairs)`);
}

function renameContacts(tx: TxCtx, moved: Moved) {
  const works = sql`status = 'inactive' and inactive_as = 'bounced'`;
  return tx.db.execute(sql`
    with noted as (
      insert into ${contactFormerAddresses} (contact_id, address_digest)
      select o.id, ${addressDigest(sql`o.email`)} from ${contacts} o where ${former(moved)} on conflict do nothing
    )
    update ${contacts} set email = ${moved.email}, updated_at = ${instantOf(tx)},
      status = case when ${works} then 'active' else status end,
      status_reason = case when ${works} then source else status_reason end,
      status_at = case when ${works} then ${instantOf(tx)} else status_at end,
      inactive_as = case when ${works} then null else inactive_as end
    where id in (
      select distinct on (o.creator_id) o.id from ${contacts} o where ${former(moved)} order by o.creator_id, o.id desc
    )`);
}

function endSuppressed(tx: TxCtx, { userId, email }: Moved) {
  return tx.db.execute(sql`
    update ${contacts} c set status = 'inactive', inactive_as = s.reason, status_reason = 'suppressed',
      status_at = ${instantOf(tx)}, updated_at = ${instantOf(tx)}
    from ${suppressions} s
    where c.user_id = ${userId} and c.email = ${email} and c.status <> 'inactive'
      and s.creator_id = c.creator_id and s.address_digest = ${addressDigest(sql`c.email`)}`);
}
