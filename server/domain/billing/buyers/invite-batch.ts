import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { grants, holders } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import { earlier } from '../../../base/time';
import { BUYER_LIMITS } from '../../../limits/buyers';
import { authorize } from '../../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { grantToMany } from '../../access/grant-access';
import { hasAddress } from '../../accounts/base/queries';
import { createAccounts } from '../../accounts/logins/sign-up';
import { requireVerifiedEmail } from '../../accounts/logins/verify-email';
import { roomForBuyers } from '../../plans/features';
import { currentPlan } from '../../plans/queries';
import { findProductRecord, type ProductRow } from '../../products/queries';
import { recordActivity } from '../../team/activity';
import { noRoomForBuyers, showIsFree } from '../base/errors';
import type { ChangeBatch } from '../base/schema';
import { lockBatch, lockSender, tellOfAccess } from './access-emails';
import { addressesOf, type InvitedResult, type Known, newcomersPerDay, placeInvited } from './batch-rules';
import { invitationTo } from './invite-buyers';

/**
 * `email`: as it was sent. `isTold`: the person gets an email about it. Without an id: those of new accounts follow each
 * other, and would show which addresses had one.
 */
export type InvitedPerson = { email: string; result: InvitedResult; isTold: boolean };

/**
 * Gives many people free access to a paid show, by their addresses, in one transaction and with the same number of
 * statements as for few. Repeating it changes nothing, and sends no email to people who have this access.
 * @returns a result for each entry, in their order
 * @throws as inviteBuyer, but for the limits of emails: people above them get access without an email; buyer.batch_running
 */
export async function inviteBatch(ctx: Ctx, input: ChangeBatch): Promise<{ items: InvitedPerson[] }> {
  const { id, kind, subscribers, sendsEmail } = input;
  const { product } = await findProductRecord(ctx, id, kind);
  const show = authorize(ctx, 'product.manageBuyers', product);
  if (show.priceMinor === null) throw showIsFree();
  await requireVerifiedEmail(ctx);
  const addresses = addressesOf(subscribers);
  const invited = await transact(ctx, (tx) => inviteAll(tx, show, { addresses, sendsEmail }));
  const items = subscribers.map(({ email }, at) => {
    const address = addresses[at] ?? null;
    const found = address === null ? undefined : invited.get(address);
    return { email, ...(found ?? { result: 'invalid' as const, isTold: false }) };
  });
  return { items };
}

type Invited = Omit<InvitedPerson, 'email'>;
type Batch = { addresses: (string | null)[]; sendsEmail: boolean };

async function inviteAll(tx: TxCtx, show: ProductRow, { addresses, sendsEmail }: Batch): Promise<Map<string, Invited>> {
  await lockBatch(tx, show.creatorId);
  await lockSender(tx);
  const room = await roomForBuyers(tx, show.creatorId);
  if (room === null) throw noRoomForBuyers();
  const emails = [...new Set(addresses.flatMap((address) => address ?? []))];
  const before = await listPeople(tx, show, emails);
  const newcomers = await newcomersLeft(tx, show.creatorId);
  const placed = placeInvited(emails, before, { room, newcomers });
  const chosen = emails.filter((email) => placed.get(email) === 'granted');
  const missing = chosen.filter((email) => !before.has(email));
  const language = tx.language ?? DEFAULT_LANGUAGE;
  if (missing.length > 0) await createAccounts(tx, { emails: missing, language, currency: show.currency });
  const people = missing.length > 0 ? await listPeople(tx, show, emails) : before;
  const userIds = chosen.flatMap((email) => people.get(email)?.id ?? []);
  await tx.reach('batch.read');
  const granted = new Set(userIds.length > 0 ? await grantToMany(tx, { userIds, productId: show.id }) : []);
  await recordInvited(tx, show, granted.size);
  const isNew = ({ id }: Person) => granted.has(id);
  const news = sendsEmail ? [...people.values()].filter(isNew) : [];
  const told = await tellOfAccess(tx, show, { ...invitationTo(show), people: news });
  return new Map(
    emails.map((email) => {
      const person = people.get(email) ?? null;
      const result = placed.get(email)!;
      // another call was faster
      const isHeld = result === 'granted' && !(person && granted.has(person.id));
      return [email, { result: isHeld ? 'has_access' : result, isTold: told.has(email) }];
    }),
  );
}

/** A batch can make an account for every newcomer. */
async function newcomersLeft(tx: TxCtx, creatorId: number): Promise<number> {
  const { limits } = await currentPlan(tx, creatorId);
  const since = earlier(tx.now(), BUYER_LIMITS.newIn);
  const isOfCreator = and(eq(holders.creatorId, creatorId), isNull(holders.productId));
  const reached = await tx.db.$count(holders, and(isOfCreator, gt(holders.paidSince, since)));
  return newcomersPerDay(limits.paidSubscribers) - reached;
}

type Person = Known & { id: number; email: string; language: Language | null };

/** The accounts with these addresses. */
async function listPeople(tx: TxCtx, show: ProductRow, emails: string[]): Promise<Map<string, Person>> {
  const gift = [eq(grants.productId, show.id), eq(grants.source, 'gift'), isNull(grants.endsAt)];
  const isHeldNow = sql`${holders.paidUntil} > ${tx.now().toISOString()}::timestamptz`;
  const rows = await tx.db
    .select({
      id: users.id,
      email: users.email,
      language: users.language,
      hasGift: sql<boolean>`${grants.id} is not null`,
      isCounted: sql<boolean>`coalesce(${isHeldNow}, false)`,
      wasHeld: sql<boolean>`${isNotNull(holders.paidSince)}`,
    })
    .from(users)
    .leftJoin(grants, and(eq(grants.userId, users.id), ...gift))
    .leftJoin(
      holders,
      and(eq(holders.userId, users.id), eq(holders.creatorId, show.creatorId), isNull(holders.productId)),
    )
    .where(hasAddress(emails));
  return new Map(rows.map((row) => [row.email, row]));
}

async function recordInvited(tx: TxCtx, { creatorId, id, name }: ProductRow, count: number): Promise<void> {
  if (count === 0) return;
  await recordActivity(tx, { creatorId, action: 'buyers.invited', subjectId: id, params: { name, count } });
}
