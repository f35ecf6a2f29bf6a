import { and, eq, inArray, ne } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { type PayoutStatus, payouts } from '~/db/schema/payouts';
import { type Currency, toDecimal } from '../../base/money';
import type { Page } from '../../base/paging';
import { utcDay, utcMonth } from '../../base/time';
import { PAYOUT_LIMITS } from '../../limits/payouts';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact, violates } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { isBrowserSession, requireProof, requireSecondFactor } from '../accounts/second-factors/second-factor';
import { type BillingDetails, billingDetailsOf } from '../accounts/settings/billing-details';
import { type CreatorRow, findCreator } from '../creators/queries';
import { requireSwitch } from '../reference/switches';
import { recordActivity } from '../team/activity';
import { expectedDay } from './bank-days';
import { alreadyRequested } from './errors';
import { enterPayout } from './ledger';
import { type PaperName, papersOf } from './papers';
import { type Balance, balancesOf, listPayoutRows, type PayoutRow, payoutsOfMonth } from './queries';
import { destinationOf, maskedDestination, nextMonth, payoutProblem } from './rules';
import type { ListPayouts, RequestFromSession, RequestPayout } from './schema';
import { tellCreator } from './tell-creator';

/** `problem`: the code of the error with which a request would fail; null if it would succeed. */
export type BalanceView = Balance & {
  thresholdMinor: number;
  problem: string | null;
  /** Time when the next request is possible, if one was made this month. */
  nextRequestAt: Date | null;
  /** The masked address of a payout. */
  destination: string | null;
  /** No payout went there before, so a request needs a proof of identity. */
  isFirst: boolean;
  /** When the money arrives at the earliest: an operator approves it, and the bank settles it. */
  expectedOn: Date;
};
export type MoneyOverview = { balances: BalanceView[] };

/** Our debt to the creator that the user works for, in each currency. Without sales: zero, in the owner's currency. */
export async function payoutOverview(ctx: Ctx): Promise<MoneyOverview> {
  const creator = authorize(ctx, 'creator.readPayouts', await findCreator(ctx, currentCreator(ctx).id));
  const { details, currency } = await ownerOf(ctx, creator);
  const { balances, requested } = await moneyOf(ctx, creator.id, currency);
  const destinations = balances.flatMap((each) => destinationOf(details, each.currency)?.destination ?? []);
  const known = await knownDestinations(ctx, { creatorId: creator.id, destinations });
  const expectedOn = new Date(`${expectedDay(utcDay(ctx.now()))}T00:00:00Z`);
  return {
    balances: balances.map((balance) => {
      const hasRequested = requested.has(balance.currency);
      const place = destinationOf(details, balance.currency);
      return {
        ...balance,
        thresholdMinor: PAYOUT_LIMITS.thresholdMinor,
        problem: problemOf({ balances, requested, details }, balance.currency)?.code ?? null,
        nextRequestAt: hasRequested ? nextMonth(ctx.now()) : null,
        destination: place && maskedDestination(place),
        isFirst: place !== null && !known.has(place.destination),
        expectedOn,
      };
    }),
  };
}

async function ownerOf(ctx: Ctx, { userId }: CreatorRow) {
  const [user, details] = await Promise.all([findUser(ctx, userId), billingDetailsOf(ctx, userId)]);
  return { user, details, currency: user.currency };
}

async function moneyOf(ctx: Pick<Ctx, 'db' | 'now'>, creatorId: number, currency: Currency) {
  const [known, rows] = await Promise.all([balancesOf(ctx, creatorId), payoutsOfMonth(ctx, creatorId)]);
  const none: Balance = { currency, availableMinor: 0, pendingMinor: 0, pending: [] };
  return { balances: known.length > 0 ? known : [none], requested: new Map(rows.map((row) => [row.currency, row])) };
}

type Money = Awaited<ReturnType<typeof moneyOf>> & { details: BillingDetails };

function problemOf({ balances, requested, details }: Money, currency: Currency) {
  const balance = balances.find((each) => each.currency === currency);
  return payoutProblem({
    availableMinor: balance?.availableMinor ?? 0,
    hasRequested: requested.has(currency),
    hasAddress: destinationOf(details, currency) !== null,
  });
}

/**
 * Those of the addresses that had a payout which was not taken back. A browser's session has given a proof of identity
 * before the first one; a session of the API began with the password.
 */
async function knownDestinations(
  { db }: Pick<Ctx, 'db'>,
  { creatorId, destinations }: { creatorId: number; destinations: string[] },
): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ destination: payouts.destination })
    .from(payouts)
    .where(
      and(eq(payouts.creatorId, creatorId), inArray(payouts.destination, destinations), ne(payouts.status, 'reversed')),
    );
  return new Set(rows.map(({ destination }) => destination));
}

/**
 * Requests a payout from a browser's session, which somebody else may have taken over: the first payout to an address
 * needs the second factor, or the password without one. Sessions of the API began with the password.
 * @throws as requestPayout; account.wrong_password, account.password_missing
 */
export function requestFromSession(ctx: Ctx, input: RequestFromSession): Promise<RequestedPayout> {
  const { currentPassword, ...request } = input;
  return requestPayout(ctx, request, async ({ creatorId, destination }) => {
    const isKnown =
      !(await isBrowserSession(ctx)) ||
      (await knownDestinations(ctx, { creatorId, destinations: [destination] })).size > 0;
    if (isKnown) await requireSecondFactor(ctx, request);
    else await requireProof(ctx, { code: request.code, currentPassword });
  });
}

export type RequestedPayout = { id: string; amountMinor: number; currency: Currency; status: PayoutStatus };

/**
 * Requests a payout of the whole available balance of a currency, once in each calendar month (UTC). Two concurrent
 * requests are serialized; the second one finds the first. @throws payout.already_requested, payout.below_threshold,
 * payout.address_missing; account.second_factor_required, account.wrong_code, switch.off
 */
export async function requestPayout(
  ctx: Ctx,
  { currency: chosen, code }: RequestPayout,
  prove: Prove = () => requireSecondFactor(ctx, { code }),
): Promise<RequestedPayout> {
  const creator = authorize(ctx, 'creator.requestPayout', await findCreator(ctx, currentCreator(ctx).id));
  await requireSwitch(ctx, 'payout_requests', { subject: creator.id, creatorId: creator.id });
  const owner = await ownerOf(ctx, creator);
  const money = { ...(await moneyOf(ctx, creator.id, owner.currency)), details: owner.details };
  const currency = chosen ?? payableCurrency(money);
  // a code works once, so it must not be used up by a request that fails anyway
  const problem = problemOf(money, currency);
  if (problem) throw problem;
  await prove({ creatorId: creator.id, destination: destinationOf(owner.details, currency)!.destination });
  try {
    return await transact(ctx, (tx) => writePayout(tx, creator, currency));
  } catch (error) {
    throw violates(error, 'payouts_once_a_month') ? alreadyRequested() : error;
  }
}

/** Proves that the owner asks for a payout to this address. */
type Prove = (payout: { creatorId: number; destination: string }) => Promise<void>;

/** The first currency that can be paid out, otherwise the one with the highest balance. */
function payableCurrency(money: Money): Currency {
  const { balances } = money;
  const payable = balances.find(({ currency }) => problemOf(money, currency) === null);
  const most = balances.toSorted((one, other) => other.availableMinor - one.availableMinor)[0]!;
  return (payable ?? most).currency;
}

async function writePayout(tx: TxCtx, creator: CreatorRow, currency: Currency): Promise<RequestedPayout> {
  const { id: creatorId } = creator;
  // sales, which refer to the creator, need not wait for this lock
  await tx.db.select({ id: creators.id }).from(creators).where(eq(creators.id, creatorId)).for('no key update');
  const { user, details } = await ownerOf(tx, creator);
  const money = { ...(await moneyOf(tx, creatorId, currency)), details };
  const problem = problemOf(money, currency);
  if (problem) throw problem;
  const amountMinor = money.balances.find((balance) => balance.currency === currency)!.availableMinor;
  const now = tx.now();
  const [row] = await tx.db
    .insert(payouts)
    .values({
      ...{ creatorId, currency, amountMinor, month: utcMonth(now), requestedAt: now, requestedBy: user.id },
      ...destinationOf(details, currency)!,
      holder: details.billingName ?? user.name,
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  await enterPayout(tx, row!);
  const params = { amount: `${toDecimal(amountMinor)} ${currency.toUpperCase()}` };
  await recordActivity(tx, { creatorId, action: 'payout.requested', subjectId: row!.id, params });
  await tellCreator(tx, row!, 'payout_requested');
  return { id: row!.publicId, amountMinor, currency, status: row!.status };
}

export type PayoutView = Pick<
  PayoutRow,
  'currency' | 'amountMinor' | 'status' | 'method' | 'requestedAt' | 'paidAt' | 'reversedAt' | 'reason'
> & { id: string; destination: string; papers: PaperName[] };

/** The payouts of the creator that the user works for, the newest first. */
export async function listPayouts(ctx: Ctx, { page, pageSize }: ListPayouts): Promise<Page<PayoutView>> {
  const { id: creatorId } = authorize(ctx, 'creator.readPayouts', currentCreator(ctx));
  const list = await listPayoutRows(ctx, { creatorId, page, pageSize });
  const papers = await papersOf(
    ctx,
    list.items.map(({ id }) => id),
  );
  const items = list.items.map((row) => {
    const { currency, amountMinor, status, method, requestedAt, paidAt, reversedAt, reason } = row;
    const facts = { currency, amountMinor, status, method, requestedAt, paidAt, reversedAt, reason };
    return { id: row.publicId, destination: maskedDestination(row), papers: papers.get(row.id) ?? [], ...facts };
  });
  return { ...list, items };
}
