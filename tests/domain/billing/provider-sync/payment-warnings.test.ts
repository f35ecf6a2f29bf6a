import { eq, inArray } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { creators } from '~/db/schema/creators';
import { outbox } from '~/db/schema/notifications';
import { operatorActions } from '~/db/schema/operators';
import { paymentWarnings } from '~/db/schema/payment-warnings';
import { warningCommands } from '~/server/admin/warning-commands';
import { HOURS, later } from '~/server/base/time';
import { refundWarned } from '~/server/domain/billing/payers/warning-answers';
import { syncWarning } from '~/server/domain/billing/provider-sync/payment-warnings';
import { endQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { giveDonation } from '~/server/domain/donations/give-donation';
import { giveDonation as giveDonationSchema } from '~/server/domain/donations/schema';
import { endSubscription } from '~/server/queue/jobs/billing';
import { runJobs } from '../../../support/run-jobs';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, make, ctxOf, lucia, paidPodcast, stripe, clock, settle, pass, pauseAt, visitorCtx, fetch, buy } =
  await shop();
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
const warningRefund = (of: typeof ctx, id: string) => refundWarned(of, { operator: { name: 'olga' }, id });
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

test('a killed answer whose refund has arrived tells the buyer and the creator when it is repeated, once', async () => {
  const sale = await sold(REPORTED);
  const id = String((await listed(sale))!.id);
  const pause = pauseAt('warning.refunded');
  const killed = command('refund', [id]);
  await pause.reachedBy(killed);
  await settle();
  const about = async () => (await toldAbout('payment_refunded', 'sale_refunded')).map(({ text }) => text);
  const before = await about();

  await command('refund', [id]);
  expect((await about()).length).toBe(before.length + 2);

  pause.goOn();
  await killed;
  expect((await about()).length).toBe(before.length + 2);
});

/** A donation to a creator of its own, whose payment is reported. */
async function warnedDonation({ email }: { email?: string }) {
  const ana = await make.creator({ name: 'Ana' });
  const donor = await make.person({ language: 'es' });
  await ana.api.creators.update({ acceptsDonations: true, donationText: 'Gracias' });
  const from = email ? visitorCtx({ now: clock.now }) : ctxOf(donor);
  const form = { creatorId: ana.creatorId, amount: '5', currency: 'eur', every: 'once', email, name: 'Nuria' };
  const { url } = await giveDonation(from, giveDonationSchema.parse(form), 'browser');
  await payByForms(fetch, url, { number: REPORTED! });
  await settle();
  const [sale] = await db.select().from(sales).where(eq(sales.creatorId, ana.creatorId));
  const warning = (await listed(sale!))!;
  return { ana, donor, sale: sale!, id: String(warning.id) };
}
const close = ({ creatorId }: { creatorId: number }) =>
  db.update(creators).set({ closedAt: clock.now, name: '' }).where(eq(creators.id, creatorId));

test('a donor, with or without an account, reads whose donation was refunded, in their language', async () => {
  const [guest, known] = [await warnedDonation({ email: 'nuria@mail.example' }), await warnedDonation({})];

  await command('refund', [guest.id]);
  await command('refund', [known.id]);

  const told = await toldAbout('payment_refunded');
  const [toGuest] = told.filter(({ to }) => to === 'nuria@mail.example');
  expect(toGuest!.text).toContain('€5.00 of your donation to Ana was refunded');
  const [toKnown] = told.filter(({ userId }) => userId === known.donor.id);
  expect(toKnown!.text).toContain('de tu donación a Ana');
  expect(toKnown!.text).not.toContain('Donation to');
});

test('payments to a creator whose page has closed are refunded, and only the payers are told', async () => {
  const guest = await warnedDonation({ email: 'despues@mail.example' });
  const owner = await make.creator();
  const sale = await sold(REPORTED, await make.product(owner, { kind: 'audio_series', priceMinor: 1500 }));
  const saleId = String((await listed(sale))!.id);
  await close(guest.ana);
  await close(owner);

  await command('refund', [guest.id]);
  await command('refund', [saleId]);

  expect((await listed(guest.sale)) ?? (await listed(sale))).toBeUndefined();
  const told = await toldAbout('payment_refunded', 'sale_refunded');
  expect(told.filter(({ userId }) => userId === owner.id || userId === guest.ana.id)).toEqual([]);
  expect(told.filter(({ userId }) => userId === sale.userId)).toHaveLength(1);
  const [toGuest] = told.filter(({ to }) => to === 'despues@mail.example');
  expect(toGuest!.text).toContain(`of your donation to ${guest.ana.domain} was refunded`);
  expect(toGuest!.text).not.toContain(ctx.urls.creator(guest.ana.domain));
});

test('the link in the email about a refund is in the buyer’s language, and an erased buyer gets none', async () => {
  const [sale, erased] = [await sold(REPORTED), await sold(REPORTED)];
  const [id, erasedId] = [String((await listed(sale))!.id), String((await listed(erased))!.id)];
  await db.update(users).set({ deletedAt: clock.now }).where(eq(users.id, erased.userId!));
  await db.update(users).set({ language: null }).where(eq(users.id, sale.userId!));

  await warningRefund({ ...ctx, language: 'es' }, id);
  await warningRefund(ctx, erasedId);

  const told = await toldAbout('payment_refunded');
  const [mail] = told.filter(({ userId }) => userId === sale.userId);
  expect(mail!.language).toBe('en');
  expect(mail!.text).not.toContain('/es/');
  expect(told.filter(({ userId }) => userId === erased.userId)).toEqual([]);
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
