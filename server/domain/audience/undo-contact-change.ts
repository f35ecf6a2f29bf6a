import { and, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm';
import {
  contactBatches,
  contactConsents,
  contactFormerAddresses,
  contactSources,
  mergedContacts,
  trackingConsents,
} from '~/db/schema/audience';
import type { ContactAction } from '~/db/values/contacts';
import { earlier } from '../../base/time';
import { CONTACT_LIMITS } from '../../limits/audience';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { requireRoomForContacts } from '../plans/quotas';
import { recordActivity } from '../team/activity';
import { changeNotFound } from './errors';
import type { UndoContactChange } from './schema';
import { addressDigest } from './suppressions';

/**
 * Undoes a change of several contacts once, within a day. What happened to a contact since stays: a person who has left
 * in the meantime is not activated. @throws audience.change_not_found, plan.max_contacts, common.role_not_allowed
 */
export async function undoContactChange(ctx: Ctx, { batchId }: UndoContactChange): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageContacts', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const isRecent = gt(contactBatches.createdAt, earlier(tx.now(), CONTACT_LIMITS.undo));
    const [batch] = await tx.db
      .update(contactBatches)
      .set({ undoneAt: tx.now() })
      .where(
        and(
          eq(contactBatches.id, batchId),
          and(eq(contactBatches.creatorId, creatorId), isNull(contactBatches.undoneAt), isRecent),
        ),
      )
      .returning({ action: contactBatches.action, tagId: contactBatches.tagId });
    if (!batch) throw changeNotFound();
    await UNDO[batch.action](tx, { batchId, tagId: batch.tagId });
    // a contact that is active again needs its place
    if (batch.action === 'deactivate' || batch.action === 'delete')
      await requireRoomForContacts(tx, { creatorId, more: 0 });
    await recordActivity(tx, { creatorId, action: 'contacts.change_undone' });
  });
}

/** Deletes changes that can no longer be undone, with the people in them. */
export async function sweepChanges({ db, now }: Ctx): Promise<void> {
  await db.delete(contactBatches).where(lt(contactBatches.createdAt, earlier(now(), CONTACT_LIMITS.undo)));
}

type Batch = { batchId: string; tagId: number | null };

const rowsOf = (batchId: string): SQL =>
  sql`(select contact_id, before from contact_batch_rows where batch_id = ${batchId}) r`;

const UNDO: Record<ContactAction, (tx: TxCtx, batch: Batch) => Promise<void>> = {
  async tag({ db }, { batchId, tagId }) {
    await db.execute(sql`delete from tagged_contacts where tag_id = ${tagId} and contact_id in (
      select contact_id from ${rowsOf(batchId)})`);
  },
  async untag({ db }, { batchId, tagId }) {
    await db.execute(sql`insert into tagged_contacts (tag_id, contact_id)
      select ${tagId}::bigint, c.id from ${rowsOf(batchId)} join contacts c on c.id = r.contact_id on conflict do nothing`);
  },
  deactivate: (tx, { batchId }) => restoreStatus(tx, batchId, 'inactive'),
  activate: (tx, { batchId }) => restoreStatus(tx, batchId, 'active'),
  delete: restoreContacts,
};

/** Only if the creator's change is still the last one of the status. */
async function restoreStatus({ db, now }: TxCtx, batchId: string, changedTo: 'active' | 'inactive'): Promise<void> {
  await db.execute(sql`
    update contacts c set status = f.status, inactive_as = f.inactive_as, status_reason = f.status_reason,
      status_at = f.status_at, updated_at = ${now().toISOString()}::timestamptz
    from ${rowsOf(batchId)} cross join lateral jsonb_populate_record(null::contacts, r.before -> 'contact') f
    where c.id = r.contact_id and c.status = ${changedTo} and c.status_reason = 'creator'
      and (f.status <> 'active' or not exists (select from suppressions s where s.creator_id = c.creator_id
        and s.address_digest = ${addressDigest(sql`c.email`)}))`);
}

/** A contact that came again since the deletion stays. One whose person has left since comes back inactive. */
async function restoreContacts({ db, now }: TxCtx, { batchId }: Batch): Promise<void> {
  await db.execute(sql`insert into contacts overriding system value
    select f.* from ${rowsOf(batchId)} cross join lateral jsonb_populate_record(null::contacts, r.before -> 'contact') f
    order by f.id on conflict do nothing`);
  await db.execute(sql`
    update contacts c set status = 'inactive', inactive_as = s.reason, status_reason = 'suppressed',
      status_at = ${now().toISOString()}::timestamptz
    from ${rowsOf(batchId)}, suppressions s
    where c.id = r.contact_id and c.status <> 'inactive' and s.creator_id = c.creator_id
      and s.address_digest = ${addressDigest(sql`c.email`)}`);
  await db.execute(sql`insert into tagged_contacts (tag_id, contact_id)
    select f.tag_id, f.contact_id from ${rowsOf(batchId)}
    cross join lateral jsonb_populate_recordset(null::tagged_contacts, r.before -> 'tags') f
    join contact_tags t on t.id = f.tag_id join contacts c on c.id = f.contact_id on conflict do nothing`);
  for (const [table, kept] of KEPT)
    await db.execute(sql`insert into ${table}
      select f.* from ${rowsOf(batchId)}
      cross join lateral jsonb_populate_recordset(null::${table}, r.before -> ${kept}::text) f
      join contacts c on c.id = f.contact_id on conflict do nothing`);
}

/** The tables of a contact, and under which name its row of the batch has what they had. */
const KEPT = [
  [contactSources, 'sources'],
  [contactConsents, 'consents'],
  [trackingConsents, 'tracking'],
  [mergedContacts, 'merged'],
  [contactFormerAddresses, 'former'],
] as const;
