import { eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { sales, subscriptions } from '~/db/schema/billing';
import { outbox } from '~/db/schema/notifications';
import { operatorActions } from '~/db/schema/operators';
import { paymentWarnings } from '~/db/schema/payment-warnings';
import { warningCommands } from '~/server/admin/warning-commands';
import { HOURS, later } from '~/server/base/time';
import { syncWarning } from '~/server/domain/billing/provider-sync/payment-warnings';
import { endQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { endSubscription } from '~/server/queue/catalog';
import { runJobs } from '../../../support/run-jobs';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, make, lucia, paidPodcast, stripe, clock, settle, pass, buy } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1500 });
const [REPORTED, REVIEWED, REFUND_FAILS] = ['4000000000005423', '4000000000009235', '4000000000005126'];

async function sold(card: string, show: typeof paidPodcast = series) {
  const { id } = await make.person();
  await buy(showItem(show, { userId: id }), card);
  await settle();
  return (await db.select().from(sales).where(eq(sales.userId, id)))[0]!;
}
const command = async (name: string, args: string[] = [], options: Record<string, string> = {}) => {
  const printed = await warningCommands[name]!.run(
    { ctx, env: {} as never, operator: { name: 'olga' } },
    args,
    options,
  );
  await runJobs(runtime, endSubscription.name, (payload, of) => endQueued(of, payload));
  await settle();
  return printed;
};
const listed = async (sale: typeof sales.$inferSelect) =>
  (await command('list')).find(({ receipt }) => receipt === sale.receiptNumber);
const emails = async () =>
  (await db.select().from(outbox).where(eq(outbox.topic, 'payment_warning')).orderBy(outbox.createdAt)).map(
    ({ to, subject, text }) => ({ to, subject, text }),
  );
const toldAbout = (...topics: string[]) =>
  db.select().from(outbox).where(inArray(outbox.topic, topics)).orderBy(outbox.topic, outbox.createdAt);
const hears = async (sale: typeof sales.$inferSelect) =>
  (await db.select().from(grants).where(eq(grants.userId, sale.userId!)).orderBy(grants.id)).some(
    ({ endsAt }) => endsAt === null || endsAt > clock.now,
  );

test('a report of fraud reaches the operator, who refunds the payment in time', async () => {
  const sale = await sold(REPORTED);
  const warning = await listed(sale);
  expect(warning).toMatchObject({
    kind: 'Report of fraud',
    reason: 'Someone used the card without permission',
    amount: '15.00',
    creator: 'lucia',
  });
  const id = String(warning!.id);
  const [email, ...others] = await emails();
  expect(email).toMatchObject({ to: ctx.settings.operator.email, subject: expect.stringContaining('15.00') });
  expect(email!.text).toContain(`warnings refund ${id}`);
  expect(email!.text).toContain('Someone used the card without permission');
  expect(others).toEqual([]);

  await command('refund', [id]);
  await command('refund', [id]);

  const [after] = await db.select().from(sales).where(eq(sales.id, sale.id));
  expect(after!.refundedMinor).toBe(1500);
  expect(await hears(sale)).toBe(false);
  expect(await listed(sale)).toBeUndefined();
  expect((await stripe.refunds.list({ payment_intent: sale.paymentId })).data).toMatchObject([
    { reason: 'fraudulent' },
  ]);
  const told = await toldAbout('payment_refunded', 'sale_refunded');
  expect(told.map(({ topic, userId }) => [topic, userId])).toEqual([
    ['payment_refunded', sale.userId],
    ['sale_refunded', lucia.id],
  ]);
  for (const { text } of told) expect(text).toContain('€15.00');
  // a late or repeated event opens and tells nothing
  await syncWarning(ctx, { kind: 'fraud', warning: id });
  expect(await emails()).toHaveLength(1);
});

test('a subscription whose payment was reported ends with its refund', async () => {
  const sale = await sold(REPORTED, paidPodcast);
  const { id } = (await listed(sale))!;

  await command('refund', [String(id)]);

  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, sale.subscriptionId!));
  expect(row).toMatchObject({ endReason: 'disputed', endedAt: expect.any(Date) });
  expect(await hears(sale)).toBe(false);
});

test('a refund that failed can be made again', async () => {
  const sale = await sold(REFUND_FAILS);
  const warned = { kind: 'fraud', reason: 'misc', warnedAt: clock.now } as const;
  await db.insert(paymentWarnings).values({ providerId: 'issfr_failing', saleId: sale.id, ...warned });
  await command('refund', ['issfr_failing']);
  await pass(later(clock.now, HOURS(20)));

  await command('refund', ['issfr_failing']);

  expect((await stripe.refunds.list({ payment_intent: sale.paymentId })).data).toHaveLength(2);
});

test('a review is listed until it is closed at the provider, or kept with a reason', async () => {
  const [approved, kept] = [await sold(REVIEWED), await sold(REVIEWED)];
  const [first, second] = [await listed(approved), await listed(kept)];
  expect([first, second]).toMatchObject([
    { kind: 'Payment to look at', reason: 'A rule of the payment provider asks for it' },
    { kind: 'Payment to look at' },
  ]);

  await stripe.reviews.approve(String(first!.id));
  await settle();
  await expect(command('keep', [String(second!.id)])).rejects.toThrow('--reason');
  await command('keep', [String(second!.id)], { reason: 'I know her' });

  expect([await listed(approved), await listed(kept)]).toEqual([undefined, undefined]);
  expect(await hears(kept)).toBe(true);
  const target = `warning/${second!.id}`;
  expect(await db.select().from(operatorActions).where(eq(operatorActions.target, target)).limit(1)).toMatchObject([
    { action: 'warnings.kept', details: { reason: 'I know her' } },
  ]);
  await expect(command('refund', ['issfr_nothing'])).rejects.toMatchObject({ code: 'warning.not_found' });
});
