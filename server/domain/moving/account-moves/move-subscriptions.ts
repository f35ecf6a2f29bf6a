import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import { subscriberMoveLines as lines, subscriberMoves } from '~/db/schema/moving';
import { AppError } from '../../../base/errors';
import { earlier, later } from '../../../base/time';
import { MOVE_LIMITS } from '../../../limits/moving';
import { requireCreator } from '../../../policy/actor';
import { authorize } from '../../../policy/authorize';
import { moveSubscribers } from '../../../queue/jobs/moving';
import { type Ctx, type TxCtx, transact, violates } from '../../../runtime/ctx';
import { lookupSellingAccount } from '../../payouts/queries';
import { recordActivity } from '../../team/activity';
import { isProviderAway } from '../subscriber-imports/steps';
import { alreadyMoving, noOwnAccount, nothingToMove } from './errors';
import { switchLine } from './move-line';
import { whereMovable } from './queries';
import { type MoveLine, type MoveRow, stopMove } from './undo-move';

/**
 * Moves all subscriptions to the creator's shows from our account at the payment provider to the creator's own account,
 * by jobs. Subscriptions that can't move stay, and are reported. One move at a time.
 * @throws subscriber_move.no_account, subscriber_move.nothing, subscriber_move.already_moving
 */
export async function startMove(ctx: Ctx): Promise<void> {
  const { creatorId } = authorize(ctx, 'product.manageBuyers', requireCreator(ctx));
  const account = await lookupSellingAccount(ctx, creatorId);
  if (account === null) throw noOwnAccount();
  await transact(ctx, async (tx) => {
    const times = { createdAt: tx.now(), updatedAt: tx.now() };
    const [move] = await tx.db
      .insert(subscriberMoves)
      .values({ creatorId, account, status: 'running', ...times })
      .returning();
    if ((await insertLines(tx, move!)) === 0) throw nothingToMove();
    await recordActivity(tx, { creatorId, action: 'subscribers.moved', subjectId: move!.id });
    await tx.jobs.enqueue(moveSubscribers, { moveId: move!.id, step: 0 });
  }).catch((error) => {
    throw violates(error, 'subscriber_moves_one_at_a_time') ? alreadyMoving() : error;
  });
}

/** The unique index keeps two concurrent moves from trying the same subscription. */
async function insertLines(tx: TxCtx, { id: moveId, creatorId }: MoveRow): Promise<number> {
  const rows = await tx.db.execute(sql`
    insert into subscriber_move_lines
      (move_id, subscription_id, state, from_id, renews_at, price_minor, currency, every)
    select ${moveId}::bigint, ${subscriptions.id}, 'waiting', ${subscriptions.providerId}, ${subscriptions.periodEnd},
      ${subscriptions.priceMinor}, ${subscriptions.currency}, ${subscriptions.every}
    from ${subscriptions} where ${whereMovable(creatorId)}
    on conflict do nothing returning 1`);
  return rows.length;
}

type Step = { moveId: number; step: number };

/**
 * One step of a move: some subscriptions, for some seconds. As with imports, only one of two jobs for a step continues.
 */
export async function runMove(ctx: Ctx, { moveId, step }: Step): Promise<void> {
  const [move] = await ctx.db
    .select()
    .from(subscriberMoves)
    .where(and(eq(subscriberMoves.id, moveId), eq(subscriberMoves.status, 'running')));
  if (move?.step !== step) return;
  const began = performance.now();
  try {
    while (performance.now() - began < MOVE_LIMITS.stepMs) {
      if ((await lookupSellingAccount(ctx, move.creatorId)) !== move.account) return await stopMove(ctx, move);
      const batch = await listDue(ctx, moveId);
      if (batch.length === 0) break;
      await Promise.all(batch.map((line) => switchLine(ctx, move, line)));
    }
  } catch (error) {
    if (!(error instanceof AppError) || !isProviderAway(error)) throw error;
    return transact(ctx, (tx) => continueMove(tx, move, later(tx.now(), MOVE_LIMITS.retries[1]!)));
  }
  await continueOrEnd(ctx, move);
}

const isOpen = inArray(lines.state, ['waiting', 'moving']);

/** Lines that have begun come first, then the earliest renewals. */
const listDue = ({ db, now }: Ctx, moveId: number): Promise<MoveLine[]> =>
  db
    .select()
    .from(lines)
    .where(and(eq(lines.moveId, moveId), isOpen, or(isNull(lines.retryAt), lte(lines.retryAt, now()))))
    .orderBy(asc(lines.state), asc(lines.renewsAt))
    .limit(MOVE_LIMITS.atOnce);

/** Some lines wait for their renewal: the move continues after it. */
async function continueOrEnd(ctx: Ctx, move: MoveRow): Promise<void> {
  await transact(ctx, async (tx) => {
    const [next] = await tx.db
      .select({ at: lines.retryAt })
      .from(lines)
      .where(and(eq(lines.moveId, move.id), isOpen))
      .orderBy(sql`${lines.retryAt} asc nulls first`)
      .limit(1);
    if (next) return continueMove(tx, move, next.at);
    await tx.db
      .update(subscriberMoves)
      .set({ status: 'done', endedAt: tx.now(), updatedAt: tx.now() })
      .where(and(eq(subscriberMoves.id, move.id), eq(subscriberMoves.status, 'running')));
  });
}

async function continueMove(tx: TxCtx, { id, step }: MoveRow, at: Date | null): Promise<void> {
  const raised = await tx.db
    .update(subscriberMoves)
    .set({ step: step + 1, updatedAt: tx.now() })
    .where(and(eq(subscriberMoves.id, id), eq(subscriberMoves.step, step), eq(subscriberMoves.status, 'running')))
    .returning({ id: subscriberMoves.id });
  if (raised.length > 0)
    await tx.jobs.enqueue(moveSubscribers, { moveId: id, step: step + 1 }, at ? { at } : undefined);
}

/** Continues moves whose job ran out of attempts, or that wait for a renewal that has passed. */
export async function recoverMovesOut(ctx: Ctx): Promise<void> {
  const since = earlier(ctx.now(), MOVE_LIMITS.overdue);
  const lost = await ctx.db
    .select({ moveId: subscriberMoves.id, step: subscriberMoves.step })
    .from(subscriberMoves)
    .where(and(eq(subscriberMoves.status, 'running'), lte(subscriberMoves.updatedAt, since)))
    .orderBy(asc(subscriberMoves.updatedAt))
    .limit(MOVE_LIMITS.recoveredAtOnce);
  await transact(ctx, (tx) => tx.jobs.enqueueAll(moveSubscribers, lost));
}
