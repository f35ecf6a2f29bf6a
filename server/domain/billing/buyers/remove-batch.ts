import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { gifts } from '~/db/schema/gifts';
import type { Language } from '~/locales/languages';
import { authorize } from '../../../policy/authorize';
import { whereLiveGrant, wherePaidGrant } from '../../../policy/visibility';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { endGiftsOfMany } from '../../access/grant-access';
import { hasAddress } from '../../accounts/base/queries';
import { findProductRecord, type ProductRow } from '../../products/queries';
import { recordActivity } from '../../team/activity';
import type { ChangeBatch } from '../base/schema';
import { type AccessEmail, lockBatch, lockSender, tellOfAccess } from './access-emails';
import { addressesOf, type RemovedResult } from './batch-rules';

/** `email`: as it was sent. Whether the person gets an email would show that they have verified the address. */
export type RemovedPerson = { email: string; result: RemovedResult };

const ENDED: AccessEmail = { topic: 'access_removed', path: () => '/feed' };

/**
 * Ends the free access of many people to a show, by their addresses, as inviteBatch gives it. What they or a giver have
 * paid for stays. Repeating it changes nothing.
 * @returns a result for each entry, in their order
 * @throws product.not_found, buyer.batch_running
 */
export async function removeBatch(ctx: Ctx, input: ChangeBatch): Promise<{ items: RemovedPerson[] }> {
  const { id, kind, subscribers, sendsEmail } = input;
  const { product } = await findProductRecord(ctx, id, kind);
  const show = authorize(ctx, 'product.manageBuyers', product);
  const addresses = addressesOf(subscribers);
  const emails = [...new Set(addresses.flatMap((address) => address ?? []))];
  const removed = await transact(ctx, (tx) => removeAll(tx, show, { emails, sendsEmail }));
  const items = subscribers.map(({ email }, at) => {
    const address = addresses[at] ?? null;
    if (address === null) return { email, result: 'invalid' as const };
    return { email, result: removed.get(address) ?? ('no_access' as const) };
  });
  return { items };
}

type Batch = { emails: string[]; sendsEmail: boolean };

/** The people who had access. */
async function removeAll(
  tx: TxCtx,
  show: ProductRow,
  { emails, sendsEmail }: Batch,
): Promise<Map<string, RemovedResult>> {
  await lockBatch(tx, show.creatorId);
  await lockSender(tx);
  const people = await listHolders(tx, show, emails);
  const userIds = people.map(({ id }) => id);
  const ended = await endGiftsOfMany(tx, { userIds, productId: show.id, until: paidUntil(tx) });
  const still = await listStillPaid(tx, show, userIds);
  const gone = people.filter(({ id }) => ended.includes(id) && !still.has(id));
  await recordRemoved(tx, show, ended.length);
  // an address that nobody has confirmed may belong to a stranger
  const reached = sendsEmail ? gone.filter(({ isVerified }) => isVerified) : [];
  await tellOfAccess(tx, show, { ...ENDED, people: reached });
  const paid = people.filter(({ id }) => still.has(id));
  return new Map([
    ...paid.map(({ email }): [string, RemovedResult] => [email, 'paid']),
    ...gone.map(({ email }): [string, RemovedResult] => [email, 'ended']),
  ]);
}

type Holder = { id: number; email: string; language: Language | null; isVerified: boolean };

const listHolders = (tx: TxCtx, { id }: ProductRow, emails: string[]): Promise<Holder[]> =>
  tx.db
    .selectDistinct({
      id: users.id,
      email: users.email,
      language: users.language,
      isVerified: sql<boolean>`${isNotNull(users.emailVerifiedAt)}`,
    })
    .from(users)
    .innerJoin(grants, and(eq(grants.userId, users.id), eq(grants.productId, id), wherePaidGrant()))
    .where(and(hasAddress(emails), whereLiveGrant(tx.now().toISOString())));

/** When a grant ends without the creator's gift: now, or with the last of the gifts that givers have paid for. */
function paidUntil(tx: TxCtx) {
  const now = sql`${tx.now().toISOString()}::timestamptz`;
  const own = and(
    eq(gifts.redeemedBy, grants.userId),
    eq(gifts.productId, grants.productId),
    isNull(gifts.cancelledAt),
    isNotNull(gifts.redeemedAt),
  );
  const last = sql`(select max(coalesce(${gifts.accessUntil}, 'infinity')) from ${gifts} where ${own})`;
  return sql`nullif(greatest(${last}, ${now}), 'infinity')`;
}

async function listStillPaid(tx: TxCtx, { id }: ProductRow, userIds: number[]): Promise<Set<number>> {
  const isOne = sql`${grants.userId} = any (${plainArray(userIds)}::bigint[])`;
  const rows = await tx.db
    .selectDistinct({ userId: grants.userId })
    .from(grants)
    .where(and(eq(grants.productId, id), isOne, wherePaidGrant(), whereLiveGrant(tx.now().toISOString())));
  return new Set(rows.map(({ userId }) => userId));
}

async function recordRemoved(tx: TxCtx, { creatorId, id, name }: ProductRow, count: number): Promise<void> {
  if (count === 0) return;
  await recordActivity(tx, { creatorId, action: 'buyers.removed', subjectId: id, params: { name, count } });
}
