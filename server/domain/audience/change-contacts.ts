import { type AnyColumn, and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { contactBatches, contactBatchRows, contacts, taggedContacts } from '~/db/schema/audience';
import type { ContactAction } from '~/db/values/contacts';
import { CONTACT_LIMITS } from '../../limits/audience';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { requireRoomForContacts } from '../plans/quotas';
import { recordActivity } from '../team/activity';
import { isAboutBuyers, whereFound } from './contact-filter';
import { lookupTag, tagIds } from './contact-tags';
import { contactNotFound } from './errors';
import { lockLeaving } from './leave-newsletter';
import { isActive } from './queries';
import type { ChangeContacts, ContactFilter } from './schema';
import { isAllowed, rememberDeleted, suppressInactive } from './suppressions';

/** `batchId`: by which the change can be undone; null if it changed nothing. */
export type ContactChange = { batchId: string | null; changed: number };

/**
 * Changes several contacts in one transaction: those with the ids, or those that a filter finds. Those that are already so stay, and a person who has left is not
 * activated: only they can sign up again.
 * @throws audience.contact_not_found, audience.too_many_tags, plan.max_contacts, common.role_not_allowed
 */
export async function changeContacts(ctx: Ctx, input: ChangeContacts): Promise<ContactChange> {
  const { id: creatorId } = authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  const { action, filter } = input;
  if (filter && isAboutBuyers(filter)) authorize(ctx, 'product.readBuyers', { creatorId });
  return transact(ctx, async (tx) => {
    // a running import would bring back a contact that has left, if it were deleted under its hands
    if (action === 'delete') await lockLeaving(tx, { creatorId }, 'as others');
    const [newTag = null] = await tagIds(tx, creatorId, input.tag !== undefined && action === 'tag' ? [input.tag] : []);
    const tagId = action === 'untag' ? await lookupTag(tx, creatorId, input.tag!) : newTag;
    const ids = filter
      ? await lockFound(tx, { creatorId, filter, action, tagId })
      : await lockContacts(tx, creatorId, input.ids ?? []);
    const change = { ids, creatorId, tagId };
    const batchId = await keepFormer(tx, { ...change, action });
    const changed = await APPLY[action](tx, change);
    await forgetUnchanged(tx, batchId, changed);
    if (changed.length === 0) return { batchId: null, changed: 0 };
    await recordActivity(tx, { creatorId, action: 'contacts.changed', params: { count: changed.length } });
    return { batchId, changed: changed.length };
  });
}

/** The answer is the same for unknown and for other creators' contacts. @throws audience.contact_not_found */
async function lockContacts(tx: TxCtx, creatorId: number, ids: number[]): Promise<number[]> {
  const rows = await tx.db
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.creatorId, creatorId), inArray(contacts.id, ids)))
    .orderBy(asc(contacts.id))
    .for('update');
  if (rows.length !== new Set(ids).size) throw contactNotFound();
  return rows.map(({ id }) => id);
}

type Found = { creatorId: number; filter: ContactFilter; action: ContactAction; tagId: number | null };

/**
 * Those that a filter finds and that the action would change, up to a limit: the user repeats it for the others. Their
 * former states are one batch, so they are undone together.
 */
async function lockFound(tx: TxCtx, { creatorId, filter, action, tagId }: Found): Promise<number[]> {
  const tagged = sql`exists (select from ${taggedContacts} where tag_id = ${tagId} and contact_id = ${contacts.id})`;
  const changes: Partial<Record<ContactAction, SQL>> = {
    tag: sql`not ${tagged}`,
    untag: tagged,
    deactivate: isActive(),
    activate: and(eq(contacts.status, 'inactive'), eq(contacts.statusReason, 'creator'))!,
  };
  const rows = await tx.db
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(await whereFound(tx, creatorId, filter), changes[action]))
    .orderBy(asc(contacts.id))
    .limit(CONTACT_LIMITS.found)
    .for('update');
  return rows.map(({ id }) => id);
}

type Change = { ids: number[]; creatorId: number; tagId: number | null };
/** Each returns the ids of the contacts that it has changed. */
type Apply = (tx: TxCtx, change: Change) => Promise<number[]>;

/** One parameter, however many ids there are. */
const isOneOf = (column: AnyColumn, ids: number[]): SQL => sql`${column} = any (${plainArray(ids)}::bigint[])`;

const APPLY: Record<ChangeContacts['action'], Apply> = {
  async tag(tx, { ids, tagId }) {
    // a contact's form shows all its tags, and saves them
    const added = await tx.db.execute<{ id: number }>(sql`
      insert into tagged_contacts (tag_id, contact_id)
      select ${tagId}::bigint, c.id from unnest(${plainArray(ids)}::bigint[]) as c(id)
      where (select count(*) from tagged_contacts t where t.contact_id = c.id) < ${CONTACT_LIMITS.tagsOfContact}
      on conflict do nothing returning contact_id::float8 as id`);
    return added.map(({ id }) => id);
  },
  async untag(tx, { ids, tagId }) {
    if (tagId === null) return [];
    const tagged = and(eq(taggedContacts.tagId, tagId), isOneOf(taggedContacts.contactId, ids));
    const removed = tx.db.delete(taggedContacts).where(tagged);
    return (await removed.returning({ id: taggedContacts.contactId })).map(({ id }) => id);
  },
  async deactivate(tx, { ids }) {
    const inactive = { status: 'inactive', inactiveAs: 'unsubscribed', statusReason: 'creator' } as const;
    const active = and(isOneOf(contacts.id, ids), eq(contacts.status, 'active'));
    const changed = tx.db.update(contacts).set({ ...inactive, statusAt: tx.now(), updatedAt: tx.now() });
    return (await changed.where(active).returning({ id: contacts.id })).map(({ id }) => id);
  },
  async activate(tx, { ids, creatorId }) {
    const active = { status: 'active', inactiveAs: null, statusReason: 'creator' } as const;
    const deactivated = and(eq(contacts.status, 'inactive'), eq(contacts.statusReason, 'creator'), isAllowed());
    const changed = tx.db.update(contacts).set({ ...active, statusAt: tx.now(), updatedAt: tx.now() });
    const activated = await changed.where(and(isOneOf(contacts.id, ids), deactivated)).returning({ id: contacts.id });
    if (activated.length > 0) await requireRoomForContacts(tx, { creatorId, more: 0 });
    return activated.map(({ id }) => id);
  },
  async delete(tx, { ids }) {
    await suppressInactive(tx, isOneOf(contacts.id, ids));
    await rememberDeleted(tx, isOneOf(contacts.id, ids));
    const deleted = tx.db.delete(contacts).where(isOneOf(contacts.id, ids));
    return (await deleted.returning({ id: contacts.id })).map(({ id }) => id);
  },
};

/**
 * Keeps the contacts as they are, with all that a deletion would remove with them, but not when they last read: that is
 * kept in one place, so that it can be deleted there.
 */
async function keepFormer(tx: TxCtx, change: Change & Pick<ChangeContacts, 'action'>): Promise<string> {
  const { action, creatorId, tagId, ids } = change;
  const batch = { creatorId, action, tagId, createdAt: tx.now() };
  const [row] = await tx.db.insert(contactBatches).values(batch).returning({ id: contactBatches.id });
  await tx.db.execute(sql`
    insert into contact_batch_rows (batch_id, contact_id, email, before)
    select ${row!.id}, c.id, c.email, jsonb_build_object(
      'contact', to_jsonb(c),
      'tags', (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from tagged_contacts t where t.contact_id = c.id),
      'sources', (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from contact_sources s where s.contact_id = c.id),
      'consents', (select coalesce(jsonb_agg(to_jsonb(a)), '[]') from contact_consents a where a.contact_id = c.id),
      'tracking', (select coalesce(jsonb_agg(to_jsonb(a) - 'last_seen_on'), '[]') from tracking_consents a where a.contact_id = c.id),
      'merged', (select coalesce(jsonb_agg(to_jsonb(m)), '[]') from merged_contacts m where m.contact_id = c.id),
      'former', (select coalesce(jsonb_agg(to_jsonb(a)), '[]') from contact_former_addresses a where a.contact_id = c.id))
    from contacts c where c.id = any (${plainArray(ids)}::bigint[])`);
  return row!.id;
}

/** Undoing must change only what this change has changed. */
async function forgetUnchanged(tx: TxCtx, batchId: string, changed: number[]): Promise<void> {
  if (changed.length === 0) {
    await tx.db.delete(contactBatches).where(eq(contactBatches.id, batchId));
    return;
  }
  const others = sql`${contactBatchRows.contactId} <> all (${plainArray(changed)}::bigint[])`;
  await tx.db.delete(contactBatchRows).where(and(eq(contactBatchRows.batchId, batchId), others));
}
