import { and, eq, inArray } from 'drizzle-orm';
import { subscriberMoveLines as lines, subscriberMoves } from '~/db/schema/moving';
import type { Subscription } from '../../../adapters/payments/objects';
import { AppError } from '../../../base/errors';
import { MOVE_LIMITS, SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import { type Ctx, transact } from '../../../runtime/ctx';
import { syncSubscription } from '../../billing/subscriptions/subscriptions';
import { findMovable } from '../../billing/subscriptions/switch-subscription';
import { isProviderAway } from '../subscriber-imports/steps';
import { noOwnAccount } from './errors';

export type MoveRow = typeof subscriberMoves.$inferSelect;
export type MoveLine = typeof lines.$inferSelect;

export const whereLine = ({ moveId, subscriptionId }: Pick<MoveLine, 'moveId' | 'subscriptionId'>) =>
  and(eq(lines.moveId, moveId), eq(lines.subscriptionId, subscriptionId));

const isOpen = inArray(lines.state, ['waiting', 'moving']);

export type Place = { account: string; customer: string; checkoutId: string };

/** The provider keeps keys only for a day, and the last attempt may have been earlier. */
export async function findCreated(ctx: Ctx, { account, customer, checkoutId }: Place): Promise<Subscription | null> {
  const limit = SUBSCRIBER_IMPORT_LIMITS.pageSize;
  const found = await ctx.ports.payments.on(account).listSubscriptions({ customer, limit });
  return found.find(({ reference, endedAt }) => reference.checkout === checkoutId && endedAt === null) ?? null;
}

type Undoing = { move: MoveRow; line: MoveLine; checkoutId: string };

/**
 * Marks a line as failed: the subscription continues in our account. The failure is written first, and only while the
 * line is open, so a line is either moved or undone, even with concurrent jobs. @throws payments.* for temporary errors
 */
export async function giveUp(ctx: Ctx, { move, line, checkoutId }: Undoing, { code }: AppError): Promise<void> {
  await ctx.reach('move.failed');
  const [own] = await ctx.db
    .update(lines)
    .set({ failure: code })
    .where(and(whereLine(line), isOpen))
    .returning();
  if (own) await undoLine(ctx, { move, line: own, checkoutId });
}

/** Each part may be repeated after a kill. @throws payments.* for temporary errors */
export async function undoLine(ctx: Ctx, undoing: Undoing): Promise<void> {
  const { line } = undoing;
  const { payments } = ctx.ports;
  if (await endCreated(ctx, undoing)) {
    const found = await payments.fetch.subscription(line.fromId);
    if (found.endsAt && !found.endedAt) await payments.resume(line.fromId, `${keyOf(line)}/undo`);
  }
  await ctx.db
    .update(lines)
    .set({ state: 'failed' })
    .where(and(whereLine(line), isOpen));
  await syncSubscription(ctx, line.fromId);
}

const keyOf = ({ moveId, subscriptionId }: MoveLine) => `move/${moveId}/${subscriptionId}`;

/**
 * Ends the subscription that was created on the creator's own account for a line that has not moved; it has not charged
 * yet. If we can no longer look there, it may exist and charge: then the subscription in our account ends with its
 * period, so that the subscriber does not pay twice.
 * @returns whether none is left there
 */
export async function endCreated(ctx: Ctx, { move, line, checkoutId }: Undoing): Promise<boolean> {
  const { customerId: customer } = line;
  if (customer === null) return true;
  const [current] = await ctx.db.select({ state: lines.state }).from(lines).where(whereLine(line));
  if (current?.state === 'moved') return false;
  try {
    const { account } = move;
    const created = await findCreated(ctx, { account, customer, checkoutId });
    if (created) await ctx.ports.payments.on(account).cancel(created.id, 'now', `${keyOf(line)}/created/end`);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || isProviderAway(error)) throw error;
    ctx.log.error({ err: error, move: move.id }, 'a subscription may run on an account that was disconnected');
    return false;
  }
}

/**
 * Stops a move after the account was disconnected, or takes no payments: moved subscriptions stay there, and all others
 * here.
 * @throws payments.* for temporary errors
 */
export async function stopMove(ctx: Ctx, move: MoveRow): Promise<void> {
  const isOfMove = eq(lines.moveId, move.id);
  const isBegun = and(isOfMove, eq(lines.state, 'moving'));
  for (let begun = await listLines(ctx, isBegun); begun.length > 0; begun = await listLines(ctx, isBegun))
    for (const line of begun) await stopLine(ctx, move, line);
  await transact(ctx, async (tx) => {
    await tx.db
      .update(lines)
      .set({ state: 'stays', reason: 'stopped' })
      .where(and(isOfMove, eq(lines.state, 'waiting')));
    await tx.db
      .update(subscriberMoves)
      .set({ status: 'stopped', endedAt: tx.now(), updatedAt: tx.now() })
      .where(and(eq(subscriberMoves.id, move.id), eq(subscriberMoves.status, 'running')));
  });
}

const listLines = ({ db }: Ctx, which: ReturnType<typeof and>): Promise<MoveLine[]> =>
  db.select().from(lines).where(which).limit(MOVE_LIMITS.atOnce);

async function stopLine(ctx: Ctx, move: MoveRow, line: MoveLine): Promise<void> {
  const movable = await findMovable(ctx, line.fromId);
  if (movable) return giveUp(ctx, { move, line, checkoutId: movable.checkout.id }, noOwnAccount());
  await ctx.db
    .update(lines)
    .set({ state: 'stays', reason: 'not_active' })
    .where(and(whereLine(line), isOpen));
}
