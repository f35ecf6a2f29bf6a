import { and, eq, inArray } from 'drizzle-orm';
import { subscriberImports } from '~/db/schema/moving';
import { OPEN_IMPORT_STATUSES } from '~/db/values/subscriber-imports';
import type { AppError } from '../../../base/errors';
import { authorize } from '../../../policy/authorize';
import { removeObjects } from '../../../queue/jobs/media';
import { importSubscribers } from '../../../queue/jobs/moving';
import { type Ctx, type TxCtx, transact, violates } from '../../../runtime/ctx';
import { incomingKey } from '../../media/rules';
import { consumeUpload, findUsableUpload } from '../../media/uploads';
import { lookupSellingAccount } from '../../payouts/queries';
import { productTakenDown } from '../../products/errors';
import { KINDS } from '../../products/kinds';
import { findProductRecord, type ProductRow } from '../../products/queries';
import { recordAbout } from '../../team/activity';
import { alreadyImportingPeople, showNotSold } from './errors';
import { findOwnSubscriberImport } from './queries';
import { readList } from './read-list';
import type { FindSubscriberImport, RequestSubscriberImport } from './schema';
import type { ImportRow } from './steps';

/**
 * Begins the dry run of a list of subscribers for one show: it is read and checked, and nothing else is written. A
 * creator has one list at a time: of two concurrent requests, the unique index lets one through.
 * @throws product.not_found, upload.*, subscriber_import.already_importing, subscriber_import.show_not_sold,
 * product.taken_down, subscriber_import.no_addresses, subscriber_import.not_csv, subscriber_import.empty
 */
export async function requestSubscriberImport(ctx: Ctx, input: RequestSubscriberImport): Promise<{ id: number }> {
  const { product } = await findProductRecord(ctx, input.id, input.kind);
  const show = authorize(ctx, 'product.manageBuyers', product);
  const problem = whyNotSold(show);
  if (problem) throw problem;
  const upload = await findUsableUpload(ctx, { key: input.subscribersKey, purpose: 'subscribers' });
  const format = await readList(ctx, upload.key, async (list) => list.format);
  const account = await lookupSellingAccount(ctx, show.creatorId);
  const { key: fileKey, fileName, userId } = upload;
  const times = { createdAt: ctx.now(), updatedAt: ctx.now() };
  const values = {
    creatorId: show.creatorId,
    productId: show.id,
    userId,
    fileKey,
    fileName,
    format,
    account,
    ...times,
  };
  return transact(ctx, async (tx) => {
    await consumeUpload(tx, upload);
    const [row] = await tx.db
      .insert(subscriberImports)
      .values({ ...values, status: 'reading' })
      .returning({ id: subscriberImports.id });
    await recordAbout(tx, 'subscribers.import_checked', show);
    await tx.jobs.enqueue(importSubscribers, { importId: row!.id, step: 0 });
    return { id: row!.id };
  }).catch((error) => {
    throw violates(error, 'subscriber_imports_one_at_a_time') ? alreadyImportingPeople() : error;
  });
}

/** Why a show can't get imported subscribers: it must be a paid show with renewing subscriptions. Null if it can. */
export function whyNotSold({ kind, priceMinor, freeConversion, takenDownAt, retiredAt }: ProductRow): AppError | null {
  const isSold = KINDS[kind].sale === 'subscription' && priceMinor !== null && freeConversion === null;
  if (!isSold || retiredAt !== null) return showNotSold();
  return takenDownAt === null ? null : productTakenDown();
}

/**
 * Cancels an import. Imported subscribers stay; the list is deleted. Repeating it is harmless.
 * @throws subscriber_import.not_found
 */
export async function cancelSubscriberImport(ctx: Ctx, { id }: FindSubscriberImport): Promise<void> {
  const found = authorize(ctx, 'product.manageBuyers', await findOwnSubscriberImport(ctx, id));
  const { productId, creatorId, show } = found;
  await transact(ctx, async (tx) => {
    if (!(await endSubscriberImport(tx, found))) return;
    await recordAbout(tx, 'subscribers.import_cancelled', { id: productId, creatorId, name: show });
  });
}

/** Cancels the import without a check of permissions. @returns whether this call has cancelled it */
export async function endSubscriberImport(
  tx: TxCtx,
  { id, fileKey }: Pick<ImportRow, 'id' | 'fileKey'>,
): Promise<boolean> {
  const isOpen = and(eq(subscriberImports.id, id), inArray(subscriberImports.status, OPEN_IMPORT_STATUSES));
  const cancelled = await tx.db
    .update(subscriberImports)
    .set({ status: 'cancelled', endedAt: tx.now(), updatedAt: tx.now() })
    .where(isOpen)
    .returning({ id: subscriberImports.id });
  if (cancelled.length === 0) return false;
  await tx.jobs.enqueue(removeObjects, { keys: [incomingKey(fileKey)] });
  return true;
}
