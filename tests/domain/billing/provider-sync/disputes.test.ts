import { eq, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { disputes, sales, subscriptions } from '~/db/schema/billing';
import { creditNotes } from '~/db/schema/credit-notes';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { outbox } from '~/db/schema/notifications';
import { DAYS, later } from '~/server/base/time';
import { syncDispute } from '~/server/domain/billing/provider-sync/disputes';
import { refundSale } from '~/server/domain/billing/refunds/refund-sale';
import { endQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { vatReturn } from '~/server/domain/vat/vat-return';
import { endSubscription } from '~/server/queue/jobs/billing';
import { runJobs } from '../../../support/run-jobs';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, ctxOf, make, lucia, paidPodcast, client, payments, stripe, clock, settle, buy, pass } =
  await shop();
const { db } = runtime;
const paidSeries = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1500 });
const DISPUTED = '4000000000000259';

async function disputed(show: typeof paidPodcast, country?: string) {
  const { id } = await make.person({ country });
  await buy(showItem(show, { userId: id }), DISPUTED, country);
  await settle();
  const [sale] = await db.select().from(sales).where(eq(sales.userId, id));
  const [dispute] = await db.select().from(disputes).where(eq(disputes.saleId, sale!.id));
  return { id, sale: sale!, dispute: dispute!, providerId: dispute!.providerId };
}
const answer = async (providerId: string, text: 'winning_evidence' | 'losing_evidence') => {
  await payments.answerDispute(providerId, text, `answer/${providerId}`);
  await settle();
  await runJobs(runtime, endSubscription.name, (payload, of) => endQueued(of, payload));
  await settle();
};
const now = async ({ id, sale, providerId }: Awaited<ReturnType<typeof disputed>>) => {
  const [[row], [stored], own] = await Promise.all([
    db.select().from(sales).where(eq(sales.id, sale.id)),
    db.select().from(disputes).where(eq(disputes.providerId, providerId)).orderBy(disputes.providerId),
    db.select().from(grants).where(eq(grants.userId, id)).orderBy(grants.id),
  ]);
  const hears = own.some(({ endsAt }) => endsAt === null || endsAt > clock.now);
  return { status: stored!.status, isClosed: stored!.closedAt !== null, isDisputed: row!.disputedAt !== null, hears };
};
const topicsOf = async (name: string) => {
  const rows = await db.select().from(outbox).where(eq(outbox.userId, lucia.id)).orderBy(outbox.topic);
  return rows
    .filter(({ topic, subject }) => topic.startsWith('dispute_') && subject.includes(name))
    .map(({ topic }) => topic);
};

test('while the bank decides, the payment is marked and access stays; a lost dispute ends the subscription', async () => {
  const buyer = await disputed(paidPodcast);

  expect(await now(buyer)).toEqual({ status: 'needs_answer', isClosed: false, isDisputed: true, hears: true });
  await answer(buyer.providerId, 'losing_evidence');

  expect(await now(buyer)).toEqual({ status: 'lost', isClosed: true, isDisputed: true, hears: false });
  const [subscription] = await db.select().from(subscriptions).where(eq(subscriptions.userId, buyer.id));
  expect(subscription).toMatchObject({ status: 'canceled', endReason: 'disputed', endedAt: expect.any(Date) });
  expect(await topicsOf(paidPodcast.name)).toEqual(['dispute_lost', 'dispute_opened']);
  await pass(later(clock.now, DAYS(40)));
  expect(await db.$count(sales, eq(sales.userId, buyer.id))).toBe(1);
});

test('a won dispute leaves everything as it was; only then can the payment be refunded, once', async () => {
  const buyer = await disputed(paidSeries);
  const owner = ctxOf({ ...lucia });
  const input = {
    id: paidSeries.id,
    kind: 'audio_series',
    saleId: buyer.sale.id,
    refundedMinor: 0,
    amount: 500,
  } as const;
  await expect(refundSale(owner, input)).rejects.toMatchObject({ code: 'buyer.sale_disputed' });

  await answer(buyer.providerId, 'winning_evidence');

  expect(await now(buyer)).toEqual({ status: 'won', isClosed: true, isDisputed: false, hears: true });
  expect(await topicsOf(paidSeries.name)).toEqual(['dispute_opened', 'dispute_won']);
  await Promise.all([refundSale(owner, input), refundSale(owner, input)]);
  await settle();
  const { refunds: sent } = await stripe.paymentIntents
    .retrieve(buyer.sale.paymentId)
    .then(({ latest_charge }) => stripe.charges.retrieve(String(latest_charge), { expand: ['refunds'] }));
  expect(sent!.data.map(({ amount }) => amount)).toEqual([500]);
});

test('the refund of a payment whose dispute was won is in the books and in the VAT return like any other', async () => {
  const month = clock.now.getUTCMonth();
  const vatOf = async () => {
    const { lines } = await vatReturn(ctx, `${clock.now.getUTCFullYear()}-Q${Math.floor(month / 3) + 1}`, {});
    return lines.reduce((sum, { vatMinor }) => sum + vatMinor, 0);
  };
  const before = await vatOf();
  const { sale, providerId } = await disputed(paidSeries, 'ES');
  const taken = await vatOf();
  await answer(providerId, 'winning_evidence');
  const returned = await vatOf();

  const whole = { id: paidSeries.id, kind: 'audio_series', saleId: sale.id, refundedMinor: 0 } as const;
  await refundSale(ctxOf({ ...lucia }), whole);
  await settle();

  expect([taken - before, returned - before, (await vatOf()) - before]).toEqual([0, sale.vatMinor, 0]);
  expect(sale.vatMinor).toBeGreaterThan(0);
  const entries = await db
    .select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.saleId, sale.id))
    .orderBy(ledgerEntries.id);
  const kinds = entries.map(({ kind }) => kind).filter((kind) => kind !== 'dispute_fee');
  expect(kinds).toEqual(['sale', 'processor_fee', 'dispute', 'dispute_won', 'refund']);
  const left = await db
    .select({ account: ledgerLines.account, minor: sql<number>`sum(${ledgerLines.amountMinor})`.mapWith(Number) })
    .from(ledgerLines)
    .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
    .where(eq(ledgerEntries.saleId, sale.id))
    .groupBy(ledgerLines.account)
    .having(sql`sum(${ledgerLines.amountMinor}) <> 0`)
    .orderBy(ledgerLines.account);
  // only the provider's fees are gone
  expect(left.map(({ account }) => account)).toEqual(['provider_balance', 'provider_fees']);
  const notes = await db.select().from(creditNotes).where(eq(creditNotes.saleId, sale.id)).orderBy(creditNotes.id);
  expect(notes.map(({ kind }) => kind)).toEqual(['dispute', 'dispute_won', 'refund']);
});

test('a lost dispute after a won one takes the payment for good', async () => {
  const { sale, providerId } = await disputed(paidSeries);
  await answer(providerId, 'winning_evidence');
  const again = { ...(await payments.fetch.dispute(providerId)), id: `${providerId}_again`, returned: null };
  const show = (status: 'needs_answer' | 'lost') => async () => ({ ...again, status });
  for (const status of ['needs_answer', 'lost'] as const) {
    const fetch = { ...payments.fetch, dispute: show(status) };
    await syncDispute({ ...ctx, ports: { ...ctx.ports, payments: { ...payments, fetch } } }, again.id);
    await syncDispute(ctx, providerId);
  }

  const [row] = await db.select().from(sales).where(eq(sales.id, sale.id));
  expect(row!.disputedAt).not.toBeNull();
});

test('a lost dispute of an audio series takes it away, and no late or repeated event changes that', async () => {
  const buyer = await disputed(paidSeries);
  await answer(buyer.providerId, 'losing_evidence');
  const before = await topicsOf(paidSeries.name);

  await Promise.all([syncDispute(ctx, buyer.providerId), syncDispute(ctx, buyer.providerId)]);
  const { fetch } = runtime.ports.payments;
  const open = { ...(await fetch.dispute(buyer.providerId)), status: 'needs_answer' as const };
  const stale = {
    ...ctx.ports,
    payments: { ...runtime.ports.payments, fetch: { ...fetch, dispute: async () => open } },
  };
  await syncDispute({ ...ctx, ports: stale }, buyer.providerId);

  expect(await now(buyer)).toEqual({ status: 'lost', isClosed: true, isDisputed: true, hears: false });
  expect(await topicsOf(paidSeries.name)).toEqual(before);
});

test('a dispute whose event comes before that of its payment is not lost', async () => {
  const { id } = await make.person();
  await buy(showItem(paidPodcast, { userId: id }), DISPUTED);
  const [row] = await client<{ text: string }[]>`
    select data::text as text from sandbox_stripe.objects where kind = 'dispute' order by number desc limit 1`;

  await syncDispute(ctx, (JSON.parse(row!.text) as Stripe.Dispute).id);

  expect(await db.select().from(sales).where(eq(sales.userId, id)).orderBy(sales.id)).toMatchObject([
    { disputedAt: expect.any(Date) },
  ]);
  await settle();
  expect(await db.$count(sales, eq(sales.userId, id))).toBe(1);
});
