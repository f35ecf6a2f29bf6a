import { inArray, max } from 'drizzle-orm';
import { paymentEvents } from '~/db/schema/checkouts';
import type { PaymentEvent } from '../../../adapters/payments/payment-events';
import { AppError } from '../../../base/errors';
import { earlier } from '../../../base/time';
import { BILLING_LIMITS } from '../../../limits/billing';
import { catchUpPayments } from '../../../queue/catalog';
import { type Ctx, transact } from '../../../runtime/ctx';
import { listHeldAccounts } from '../../payouts/queries';
import { storeEvents } from './events';

/**
 * Stores events whose webhooks were lost, or were sent while this installation was down: from the last hours, or since
 * the last event that arrived. @returns the number of missing events
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

async function storeListed(ctx: Ctx, account: string | null): Promise<number> {
  const { atOnce, pages } = BILLING_LIMITS.catchUp;
  const payments = ctx.ports.payments.on(account);
  let found = 0;
  let page: PaymentEvent[] = await payments.listEvents({ since: await firstMoment(ctx), limit: atOnce });
  for (let count = 1; page.length > 0; count += 1) {
    found += await storeMissing(
      ctx,
      page.map((event) => ({ ...event, account })),
    );
    if (page.length < atOnce || count >= pages) break;
    page = await payments.listEvents({ after: page.at(-1)!.id, limit: atOnce });
  }
  if (found > 0) ctx.log.warn({ found }, 'events of the payment provider had not arrived');
  return found;
}

async function firstMoment(ctx: Ctx): Promise<Date> {
  const { window, overlap, kept } = BILLING_LIMITS.catchUp;
  const [row] = await ctx.db.select({ last: max(paymentEvents.receivedAt) }).from(paymentEvents);
  const usual = earlier(ctx.now(), window);
  const last = row?.last ? earlier(row.last, overlap) : usual;
  const earliest = earlier(ctx.now(), kept);
  return new Date(Math.max(earliest.getTime(), Math.min(usual.getTime(), last.getTime())));
}

async function storeMissing(ctx: Ctx, page: PaymentEvent[]): Promise<number> {
  const ids = page.map(({ id }) => id);
  const rows = await ctx.db.select({ id: paymentEvents.id }).from(paymentEvents).where(inArray(paymentEvents.id, ids));
  const known = new Set(rows.map(({ id }) => id));
  const missing = page.filter(({ id }) => !known.has(id));
  await storeEvents(ctx, missing);
  return missing.length;
}
