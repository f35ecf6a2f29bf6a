import { eq, inArray, max } from 'drizzle-orm';
import { reachMilestone } from '~/db/milestones';
import { paymentEvents } from '~/db/schema/checkouts';
import { milestones } from '~/db/schema/operations';
import type { PaymentEvent } from '../../../adapters/payments/payment-events';
import { AppError } from '../../../base/errors';
import { earlier } from '../../../base/time';
import { BILLING_LIMITS } from '../../../limits/billing';
import { catchUpPayments } from '../../../queue/jobs/billing';
import { type Ctx, transact } from '../../../runtime/ctx';
import { listHeldAccounts } from '../../payouts/queries';
import { storeEvents } from './events';

/**
 * Stores events whose webhooks were lost, or were sent while this installation was down: from the last hours, or since
 * the last look. @returns the number of missing events
 */
export async function catchUp(ctx: Ctx, { account = null }: { account?: string | null } = {}): Promise<number> {
  if (account === null) await queueAccounts(ctx);
  try {
    return await storeListed(ctx, account);
  } catch (error) {
    if (error instanceof AppError && error.code === 'payments.not_set_up') return 0;
    throw error;
  }
}

/** Each creator's own account has its own list, and a failing list does not delay the others. */
async function queueAccounts(ctx: Ctx): Promise<void> {
  let part = await listHeldAccounts(ctx, 0);
  while (part.length > 0) {
    const accounts = part.map(({ accountId }) => ({ account: accountId }));
    await transact(ctx, (tx) => tx.jobs.enqueueAll(catchUpPayments, accounts));
    part = await listHeldAccounts(ctx, part.at(-1)!.id);
  }
}

const nameOf = (account: string | null) => `payments.caught_up/${account ?? 'platform'}`;

/** When the provider last answered for our own account; null before its first answer. */
export const lastAnswer = (ctx: Pick<Ctx, 'db'>): Promise<Date | null> => lastLook(ctx, nameOf(null));

async function storeListed(ctx: Ctx, account: string | null): Promise<number> {
  const { atOnce, pages } = BILLING_LIMITS.catchUp;
  const payments = ctx.ports.payments.on(account);
  const name = nameOf(account);
  const reachedAt = ctx.now();
  let found = 0;
  let page: PaymentEvent[] = await payments.listEvents({ since: await firstMoment(ctx, name), limit: atOnce });
  for (let count = 1; page.length > 0; count += 1) {
    found += await storeMissing(
      ctx,
      page.map((event) => ({ ...event, account })),
    );
    if (page.length < atOnce) break;
    if (count >= pages) {
      ctx.log.error({ pages }, 'older events of the payment provider were left out');
      break;
    }
    page = await payments.listEvents({ after: page.at(-1)!.id, limit: atOnce });
  }
  if (found > 0) ctx.log.warn({ found }, 'events of the payment provider had not arrived');
  await reachMilestone(ctx.db, name, reachedAt);
  return found;
}

/**
 * After an outage, the first webhook may arrive before the first look, so the last one that arrived says nothing about
 * those before it. It counts only until the first look has been recorded.
 */
async function firstMoment(ctx: Ctx, name: string): Promise<Date> {
  const { window, overlap, kept } = BILLING_LIMITS.catchUp;
  const usual = earlier(ctx.now(), window);
  const since = (await lastLook(ctx, name)) ?? (await lastArrival(ctx));
  const last = since ? earlier(since, overlap) : usual;
  const earliest = earlier(ctx.now(), kept);
  return new Date(Math.max(earliest.getTime(), Math.min(usual.getTime(), last.getTime())));
}

async function lastLook({ db }: Pick<Ctx, 'db'>, name: string): Promise<Date | null> {
  const [row] = await db.select({ last: milestones.reachedAt }).from(milestones).where(eq(milestones.name, name));
  return row?.last ?? null;
}

async function lastArrival({ db }: Ctx): Promise<Date | null> {
  const [row] = await db.select({ last: max(paymentEvents.receivedAt) }).from(paymentEvents);
  return row?.last ?? null;
}

async function storeMissing(ctx: Ctx, page: PaymentEvent[]): Promise<number> {
  const ids = page.map(({ id }) => id);
  const rows = await ctx.db.select({ id: paymentEvents.id }).from(paymentEvents).where(inArray(paymentEvents.id, ids));
  const known = new Set(rows.map(({ id }) => id));
  const missing = page.filter(({ id }) => !known.has(id));
  await storeEvents(ctx, missing);
  return missing.length;
}
