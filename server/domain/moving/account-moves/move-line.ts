import { and, eq, isNull } from 'drizzle-orm';
import { subscriberMoveLines as lines } from '~/db/schema/moving';
import type { StayReason } from '~/db/values/subscriber-imports';
import type { Card, Subscription } from '../../../adapters/payments/objects';
import { AppError } from '../../../base/errors';
import { type Ctx, transact } from '../../../runtime/ctx';
import { syncCards } from '../../billing/provider-sync/cards';
import { customerOnAccount, findMovable, switchSubscription } from '../../billing/subscriptions/switch-subscription';
import { onAccount } from '../../payouts/seller-status';
import { currentPlan } from '../../plans/queries';
import { feePercent } from '../../plans/rules';
import { isProviderAway } from '../subscriber-imports/steps';
import { noCardToCopy } from './errors';
import { firstCharge, movableAt, stayReason } from './rules';
import {
  endCreated,
  findCreated,
  giveUp,
  type MoveLine,
  type MoveRow,
  type Place,
  undoLine,
  whereLine,
} from './undo-move';

type Movable = NonNullable<Awaited<ReturnType<typeof findMovable>>>;

/**
 * Moves one subscription. The subscription in our account is set to end with its period before the new one exists, so
 * the subscriber is not charged twice; the new one has the same renewal, so the subscriber is not lost. A kill in
 * between leaves a `moving` line, which the next job completes; until then access stays unchanged.
 * @throws payments.* for temporary errors
 */
export async function switchLine(ctx: Ctx, move: MoveRow, line: MoveLine): Promise<void> {
  const movable = await findMovable(ctx, line.fromId);
  // a killed job has switched it without writing that, or it no longer exists
  if (!movable) return void (await setState(ctx, line, { state: 'stays', reason: 'not_active' }));
  if (line.failure !== null) return undoLine(ctx, { move, line, checkoutId: movable.checkout.id });
  try {
    if (line.state === 'moving') await completeLine(ctx, { move, line, movable });
    else await beginLine(ctx, { move, line, movable });
  } catch (error) {
    if (!(error instanceof AppError) || isProviderAway(error)) throw error;
    return giveUp(ctx, { move, line, checkoutId: movable.checkout.id }, error);
  }
  await refreshCards(ctx, move, line);
}

/** Later events bring missing cards, so a failure is harmless. */
async function refreshCards(ctx: Ctx, { account }: MoveRow, line: MoveLine): Promise<void> {
  const [moved] = await ctx.db
    .select({ customerId: lines.customerId })
    .from(lines)
    .where(and(whereLine(line), eq(lines.state, 'moved')));
  if (!moved?.customerId) return;
  await syncCards(onAccount(ctx, account), moved.customerId).catch((error) => {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ err: error, move: line.moveId }, 'cards of a moved subscriber not read');
  });
}

type Switching = { move: MoveRow; line: MoveLine; movable: Movable };

async function beginLine(ctx: Ctx, switching: Switching): Promise<void> {
  const { line } = switching;
  const found = await ctx.ports.payments.fetch.subscription(line.fromId);
  const card = await cardOf(ctx, found);
  const reason = stayReason({ ...found, hasCard: card !== null });
  if (reason) return void (await setState(ctx, line, { state: 'stays', reason }));
  const at = movableAt(found, ctx.now());
  if (at > ctx.now()) return void (await setState(ctx, line, { retryAt: at }));
  const terms = { renewsAt: found.periodEnd, priceMinor: found.price.minor, every: found.every };
  const begun: MoveLine = { ...line, ...terms, currency: found.price.currency, state: 'moving', begunAt: ctx.now() };
  if (await setState(ctx, line, begun)) await completeLine(ctx, { ...switching, line: begun });
}

/** Each call has its own idempotency key, so that a repeated call finds the earlier result. */
async function completeLine(ctx: Ctx, { move, line, movable }: Switching): Promise<void> {
  const { payments } = ctx.ports;
  const { account } = move;
  const key = `move/${line.moveId}/${line.subscriptionId}`;
  const ending = await payments.cancel(line.fromId, 'at_period_end', `${key}/end`).catch(async (error) => {
    // its period ended while the move was interrupted
    if (error instanceof AppError && error.code === 'payments.conflict')
      return payments.fetch.subscription(line.fromId);
    throw error;
  });
  const customer = await customerOnAccount(ctx, { userId: movable.row.userId, account });
  const renewsAt = await keepRenewal(ctx, line);
  // from here on, objects may exist at the provider that must be removed if the line fails
  if (!(await setState(ctx, line, { customerId: customer }))) return;
  await ctx.reach('move.begun');
  const to =
    (await findCreated(ctx, { account, customer, checkoutId: movable.checkout.id })) ??
    (await createMoved(ctx, { account, customer, line: { ...line, renewsAt }, movable, ending, key }));
  await ctx.reach('move.created');
  const isMoved = await transact(ctx, async (tx) => {
    const moved = { state: 'moved', toId: to.id, customerId: customer, cardId: to.card, movedAt: tx.now() } as const;
    if (!(await setState(tx, line, moved))) return false;
    await switchSubscription(tx, { fromId: line.fromId, to, account });
    return true;
  });
  // another job has cancelled the line, perhaps before it could see this subscription
  if (!isMoved)
    await endCreated(ctx, { move, line: { ...line, customerId: customer }, checkoutId: movable.checkout.id });
}

type Creation = Omit<Place, 'checkoutId'> & { line: MoveLine; movable: Movable; ending: Subscription; key: string };

async function createMoved(ctx: Ctx, creation: Creation): Promise<Subscription> {
  const { account, customer, line, movable, ending, key } = creation;
  const { payments } = ctx.ports;
  const card = await cardOf(ctx, ending);
  if (!card) throw noCardToCopy();
  const from = { customer: ending.customer, card: card.id };
  const copied = await payments.copyCard(from, { account, customer }, `${key}/card`);
  const { name, currency } = movable.checkout.terms;
  return payments.on(account).importSubscription(
    {
      ...{ customer, card: copied.id, name, price: { minor: line.priceMinor, currency }, every: line.every },
      ...{ at: line.begunAt!, renewsAt: line.renewsAt, startedAt: movable.row.startedAt },
      reference: { ...ending.reference, checkout: movable.checkout.id },
      platformFee: { feePercent: feePercent(await currentPlan(ctx, movable.row.creatorId), line.priceMinor) },
    },
    `${key}/start`,
  );
}

/** A renewal that has passed meanwhile gets a new time, once: repeated calls use the same one. */
async function keepRenewal(ctx: Ctx, line: MoveLine): Promise<Date> {
  const renewsAt = firstCharge(line.renewsAt, ctx.now());
  if (renewsAt.getTime() !== line.renewsAt.getTime())
    await ctx.db.update(lines).set({ renewsAt }).where(whereLine(line));
  return renewsAt;
}

/** The card that pays: the subscription's, or the customer's. */
async function cardOf({ ports }: Ctx, { customer, card }: Subscription): Promise<Card | null> {
  const cards = await ports.payments.listCards(customer);
  return cards.find(({ id }) => id === card) ?? cards.find(({ isDefault }) => isDefault) ?? null;
}

/** @returns whether the line was unchanged since this job read it, and no job is cancelling it */
async function setState(
  ctx: Pick<Ctx, 'db'>,
  line: MoveLine,
  change: Partial<MoveLine> & { reason?: StayReason | null },
): Promise<boolean> {
  const rows = await ctx.db
    .update(lines)
    .set(change)
    .where(and(whereLine(line), eq(lines.state, line.state), isNull(lines.failure)))
    .returning({ id: lines.subscriptionId });
  return rows.length > 0;
}
