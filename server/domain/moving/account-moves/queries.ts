import { and, asc, count, desc, eq, gt, isNotNull, isNull, sql, sum } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { subscriberMoveLines as lines, subscriberMoves } from '~/db/schema/moving';
import { subscriptionSums } from '~/db/schema/subscription-sums';
import type { MoveLineState, StayReason } from '~/db/values/subscriber-imports';
import { MOVE_LIMITS } from '../../../limits/moving';
import { requireCreator } from '../../../policy/actor';
import { authorize } from '../../../policy/authorize';
import type { Ctx } from '../../../runtime/ctx';
import { lookupSellingAccount } from '../../payouts/queries';
import type { ImportSum } from '../subscriber-imports/queries';

/** Subscriptions to shows of the creator that run in our account. */
export const whereMovable = (creatorId: number) =>
  and(
    eq(subscriptions.creatorId, creatorId),
    eq(subscriptions.purpose, 'show'),
    isNull(subscriptions.endedAt),
    isNull(subscriptions.account),
    isNotNull(subscriptions.checkoutId),
  );

export type MoveCount = { state: MoveLineState; reason: StayReason | null; lines: number };
export type StayingLine = { email: string; reason: StayReason | null; failure: string | null };
export type MoveView = {
  /** Whether the creator has an account of their own that takes payments. */
  hasAccount: boolean;
  /** Sums of the subscriptions that run in our account now. */
  sums: ImportSum[];
  latest: {
    status: 'running' | 'done' | 'stopped';
    createdAt: Date;
    counts: MoveCount[];
    staying: StayingLine[];
  } | null;
};

/** The subscriptions that a move to the creator's own account would include, and the result of the last move. */
export async function moveOverview(ctx: Ctx): Promise<MoveView> {
  const { creatorId } = authorize(ctx, 'product.manageBuyers', requireCreator(ctx));
  const [account, sums, [latest]] = await Promise.all([
    lookupSellingAccount(ctx, creatorId),
    sumMovable(ctx, creatorId),
    ctx.db
      .select()
      .from(subscriberMoves)
      .where(eq(subscriberMoves.creatorId, creatorId))
      .orderBy(desc(subscriberMoves.id))
      .limit(1),
  ]);
  const report = latest && {
    status: latest.status,
    createdAt: latest.createdAt,
    counts: await countMoved(ctx, latest.id),
    staying: await listStaying(ctx, latest.id),
  };
  return { hasAccount: account !== null, sums, latest: report ?? null };
}

/** From the stored sums (docs/decisions/0312): their number grows with the shows, not with the subscribers. */
function sumMovable({ db }: Ctx, creatorId: number): Promise<ImportSum[]> {
  const { currency, every, subscriptions: running, priceMinor } = subscriptionSums;
  return db
    .select({ currency, every, lines: sum(running).mapWith(Number), minor: sum(priceMinor).mapWith(Number) })
    .from(subscriptionSums)
    .where(and(eq(subscriptionSums.creatorId, creatorId), eq(subscriptionSums.isMovable, true), gt(running, 0)))
    .groupBy(currency, every)
    .orderBy(currency, every);
}

const countMoved = ({ db }: Ctx, moveId: number): Promise<MoveCount[]> =>
  db
    .select({ state: lines.state, reason: lines.reason, lines: count() })
    .from(lines)
    .where(eq(lines.moveId, moveId))
    .groupBy(lines.state, lines.reason)
    .orderBy(desc(count()));

const listStaying = ({ db }: Ctx, moveId: number): Promise<StayingLine[]> =>
  db
    .select({ email: users.email, reason: lines.reason, failure: lines.failure })
    .from(lines)
    .innerJoin(subscriptions, eq(subscriptions.id, lines.subscriptionId))
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(and(eq(lines.moveId, moveId), sql`${lines.state} in ('stays', 'failed')`))
    .orderBy(asc(lines.subscriptionId))
    .limit(MOVE_LIMITS.shownLines);
