import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contacts } from '~/db/schema/audience';
import { refunds, sales, subscriptions } from '~/db/schema/billing';
import { episodes as episodeRows } from '~/db/schema/episodes';
import { episodeTotals } from '~/db/schema/listening';
import { editions } from '~/db/schema/newsletter';
import { payouts } from '~/db/schema/payouts';
import { products } from '~/db/schema/products';
import { rssImports } from '~/db/schema/rss-import';
import { monthReports } from '~/db/schema/statistics';
import { webhookEvents } from '~/db/schema/webhooks';
import { WEBHOOK_EVENTS, type WebhookEvent } from '~/db/values/webhook-events';
import { DAYS, earlier, later } from '~/server/base/time';
import { countMilestones } from '~/server/domain/webhooks/count-milestones';
import { sampleDataOf } from '~/server/domain/webhooks/sample-events';
import { sweepEvents } from '~/server/domain/webhooks/sweep-events';
import { transact } from '~/server/runtime/ctx';
import { webhookStage } from './webhook-stage';

const { runtime, db, lucia, ada, tom, make, podcast, paidPodcast, episodes, create, ctx, deliveriesOf, endpointRow } =
  await webhookStage();
const { creatorId } = lucia;
const { id } = await create();
const seen = new Set<WebhookEvent>();

/** The events that the work has caused, in their order. */
async function eventsOf(work: () => Promise<unknown>) {
  const before = await db.$count(webhookEvents);
  await work();
  const rows = await db.select().from(webhookEvents).orderBy(webhookEvents.id);
  for (const { type, data } of rows.slice(before)) {
    seen.add(type);
    expect(Object.keys(data).sort(), type).toEqual(Object.keys(sampleDataOf(type)).sort());
  }
  return rows.slice(before).map(({ type, data }) => [type, data]);
}

test('a show is created, changed, archived, brought back and deleted', async () => {
  let show = podcast as { id: number };
  const made = await eventsOf(async () => {
    show = await make.product(lucia, { name: 'Nuevo' });
  });
  const ref = { id: show.id, kind: 'podcast' } as const;

  expect(made).toEqual([['show.created', { id: show.id }]]);
  expect(await eventsOf(() => lucia.api.products.update({ ...ref, name: 'Otro' }))).toEqual([
    ['show.updated', { id: show.id }],
  ]);
  expect(await eventsOf(() => lucia.api.products.archive(ref))).toEqual([['show.archived', { id: show.id }]]);
  expect(await eventsOf(() => lucia.api.products.unarchive(ref))).toEqual([['show.updated', { id: show.id }]]);
  expect(
    await eventsOf(() => db.update(products).set({ retiredAt: runtime.now() }).where(eq(products.id, show.id))),
  ).toEqual([['show.deleted', { id: show.id }]]);
});

test('an episode is created, published, changed, put on hold, published again and deleted', async () => {
  const ids: number[] = [];
  expect(
    await eventsOf(async () => {
      ids.push((await make.draft(lucia, podcast)).id);
    }),
  ).toEqual([['episode.created', { id: ids[0], show_id: podcast.id }]]);
  const data = { id: episodes.podcast.public.id, show_id: podcast.id };
  const ref = { id: data.id, kind: 'podcast' } as const;
  expect(await eventsOf(() => lucia.api.episodes.update({ ...ref, name: 'Cambio' }))).toEqual([
    ['episode.updated', data],
  ]);
  expect(await eventsOf(() => lucia.api.episodes.hold(ref))).toEqual([['episode.updated', data]]);
  expect(await eventsOf(() => lucia.api.episodes.release(ref))).toContainEqual(['episode.published', data]);
  expect(await eventsOf(() => lucia.api.episodes.remove(ref))).toEqual([['episode.deleted', data]]);
});

test('a change that rolls back is no event, and one that nobody can see is none', async () => {
  const where = eq(episodeRows.id, episodes.podcast.onHold.id);

  const rolledBack = transact(ctx, async (tx) => {
    await tx.db.update(episodeRows).set({ name: 'Never' }).where(where);
    throw new Error('rolled back');
  });
  expect(await eventsOf(() => rolledBack.catch(() => {}))).toEqual([]);
  expect(
    await eventsOf(() => db.update(episodeRows).set({ loudnessTenths: -160, updatedAt: runtime.now() }).where(where)),
  ).toEqual([]);
});

test('an import ends', async () => {
  const owner = { creatorId, userId: lucia.id, feedUrl: 'https://feed.example', preview: {} as never };
  const proof = { tokenHash: 'x', proofCode: 'x', expiresAt: runtime.now() };
  const [row] = await db
    .insert(rssImports)
    .values({ ...owner, ...proof, status: 'in_progress', productId: podcast.id })
    .returning();

  expect(
    await eventsOf(() => db.update(rssImports).set({ status: 'imported' }).where(eq(rssImports.id, row!.id))),
  ).toEqual([['import.finished', { id: row!.id, show_id: podcast.id, status: 'imported' }]]);
});

test('a subscription starts, is renewed, is cancelled and ends; one that was never paid is none', async () => {
  const now = runtime.now();
  const period = { startedAt: now, periodStart: now, periodEnd: later(now, DAYS(30)), syncedAt: now };
  const item = {
    creatorId,
    productId: paidPodcast.id,
    purpose: 'show',
    priceMinor: 500,
    currency: 'eur',
    every: 'month',
  } as const;
  const row = (status: 'incomplete' | 'active') =>
    ({ ...item, ...period, status, providerId: randomUUID(), customerId: 'cus' }) as const;
  const [{ id: never } = { id: 0 }] = await db
    .insert(subscriptions)
    .values({ ...row('incomplete'), userId: ada.id })
    .returning();
  const [{ id: paid } = { id: 0 }] = await db
    .insert(subscriptions)
    .values({ ...row('incomplete'), userId: tom.id })
    .returning();
  const set = (which: number, change: Partial<typeof subscriptions.$inferInsert>) =>
    eventsOf(() => db.update(subscriptions).set(change).where(eq(subscriptions.id, which)));
  const data = { id: paid, show_id: paidPodcast.id };

  expect(await set(never, { status: 'expired', endedAt: now })).toEqual([]);
  expect(await set(paid, { status: 'active' })).toEqual([['subscription.started', data]]);
  expect(await set(paid, { status: 'past_due', periodStart: later(now, DAYS(30)) })).toEqual([]);
  expect(await set(paid, { status: 'active' })).toEqual([['subscription.renewed', data]]);
  expect(await set(paid, { periodStart: later(now, DAYS(60)) })).toEqual([['subscription.renewed', data]]);
  expect(await set(paid, { endsAt: later(now, DAYS(90)) })).toEqual([['subscription.cancelled', data]]);
  expect(await set(paid, { status: 'canceled', endedAt: later(now, DAYS(90)) })).toEqual([
    ['subscription.ended', data],
  ]);
});

test('a purchase, a donation and a refund; the payment of a plan is none of them', async () => {
  const party = { name: 'Tom', street: null, postalCode: null, city: null, country: null, taxNumber: null };
  const commission = { plan: 'PRO', commissionBasisPoints: 0, commissionFixedMinor: 0, commissionMinor: 0 } as const;
  let receipts = 900;
  const sell = async (purpose: 'show' | 'donation' | 'plan') => {
    const receipt = { legalEntity: 'Hooks', receiptNumber: receipts++, buyer: party, seller: 'Test', name: 'Show' };
    const productId = purpose === 'show' ? podcast.id : null;
    const amount = { amountMinor: 500, currency: 'eur', paidAt: runtime.now() } as const;
    const [row] = await db
      .insert(sales)
      .values({ paymentId: randomUUID(), creatorId, productId, purpose, ...amount, ...commission, ...receipt })
      .returning();
    return row!.id;
  };
  const refund = (saleId: number, status: 'pending' | 'succeeded') =>
    db
      .insert(refunds)
      .values({ providerId: `re_${saleId}`, saleId, amountMinor: 200, status, refundedAt: runtime.now() });
  let [sold, planned] = [0, 0];

  expect(
    await eventsOf(async () => {
      sold = await sell('show');
      await sell('donation');
      planned = await sell('plan');
    }),
  ).toEqual([
    ['purchase.completed', { id: sold, show_id: podcast.id, purpose: 'show', amount_minor: 500, currency: 'eur' }],
    ['donation.received', { id: sold + 1, amount_minor: 500, currency: 'eur' }],
  ]);
  expect(await eventsOf(() => refund(planned, 'succeeded'))).toEqual([]);
  expect(await eventsOf(() => refund(sold, 'pending'))).toEqual([]);
  const done = db.update(refunds).set({ status: 'succeeded' });
  expect(await eventsOf(() => done.where(eq(refunds.saleId, sold)))).toEqual([
    ['refund.made', { id: `re_${sold}`, sale_id: sold, amount_minor: 200, currency: 'eur' }],
  ]);
});

test('a payout is requested and paid', async () => {
  const facts = {
    currency: 'eur',
    amountMinor: 9000,
    month: '2026-03',
    method: 'iban',
    destination: 'x',
    holder: 'x',
  } as const;
  let payout = 0;
  const requested = await eventsOf(async () => {
    const by = { requestedAt: runtime.now(), requestedBy: lucia.id };
    const [row] = await db
      .insert(payouts)
      .values({ creatorId, ...facts, ...by })
      .returning();
    payout = row!.id;
  });
  const data = { id: payout, amount_minor: 9000, currency: 'eur' };

  expect(requested).toEqual([['payout.requested', data]]);
  expect(await eventsOf(() => db.update(payouts).set({ status: 'paid' }).where(eq(payouts.id, payout)))).toEqual([
    ['payout.paid', data],
  ]);
});

test('a contact is added once it is active, changes, leaves and comes back', async () => {
  const person = { creatorId, source: 'form', language: 'es', email: 'hooks@mail.example', status: 'pending' } as const;
  const [row] = await db.insert(contacts).values(person).returning();
  const set = (change: Partial<typeof contacts.$inferInsert>) =>
    eventsOf(() => db.update(contacts).set(change).where(eq(contacts.id, row!.id)));
  const data = { id: row!.id };

  expect(await set({ name: 'Not yet' })).toEqual([]);
  expect(await set({ status: 'active' })).toEqual([['contact.created', data]]);
  expect(await set({ name: 'Now' })).toEqual([['contact.updated', data]]);
  expect(await set({ status: 'inactive', inactiveAs: 'unsubscribed' })).toEqual([['contact.unsubscribed', data]]);
  expect(await set({ status: 'active', inactiveAs: null })).toEqual([['contact.updated', data]]);
  expect(await set({ status: 'inactive', inactiveAs: 'bounced' })).toEqual([['contact.updated', data]]);
  const active = { ...person, email: 'hooks2@mail.example', status: 'active' } as const;
  expect(await eventsOf(() => db.insert(contacts).values(active))).toEqual([['contact.created', { id: row!.id + 1 }]]);
});

test('one statement about many contacts is an event for each of those whose creator wants it', async () => {
  const row = (of: number, n: number) =>
    ({ creatorId: of, source: 'form', language: 'es', email: `many${n}@mail.example`, status: 'active' }) as const;
  const rows = [row(creatorId, 1), row(ada.creatorId!, 1), row(creatorId, 2)];
  const before = (await deliveriesOf(id)).length;

  expect((await eventsOf(() => db.insert(contacts).values(rows))).map(([type]) => type)).toEqual([
    'contact.created',
    'contact.created',
  ]);
  expect(await deliveriesOf(id)).toHaveLength(before + 2);
});

test('an edition is sent, and a report is ready', async () => {
  const [row] = await db.insert(editions).values({ creatorId, status: 'sending', recipients: 3 }).returning();
  await db.insert(monthReports).values({ creatorId, month: '2026-02', queuedAt: runtime.now() });
  const isIts = eq(monthReports.creatorId, creatorId);

  expect(await eventsOf(() => db.update(editions).set({ status: 'sent' }).where(eq(editions.id, row!.id)))).toEqual([
    ['edition.sent', { id: row!.id, recipients: 3 }],
  ]);
  expect(await eventsOf(() => db.update(monthReports).set({ doneAt: runtime.now() }).where(isIts))).toEqual([
    ['report.ready', { id: '2026-02' }],
  ]);
});

test('a show reaches milestones of downloads; those from before the endpoint are no news', async () => {
  const episodeId = episodes.podcast.onHold.id;
  const count = async (downloads: number) => {
    const set = { downloads };
    const row = { episodeId, creatorId, downloads };
    await db.insert(episodeTotals).values(row).onConflictDoUpdate({ target: episodeTotals.episodeId, set });
    return eventsOf(() => countMilestones(ctx, {}));
  };

  expect(await count(150)).toEqual([]);
  expect(await count(999)).toEqual([]);
  expect(await count(12_000)).toEqual([['downloads.milestone', { id: podcast.id, downloads: 10_000 }]]);
  expect(await count(12_000)).toEqual([]);
});

test('every event of the list has occurred here', () => {
  expect([...seen].sort()).toEqual([...WEBHOOK_EVENTS].sort());
});

test('a creator without an endpoint, or with one that is off, has no events', async () => {
  expect(await eventsOf(() => make.product(ada, { name: 'Quiet' }))).toEqual([]);
  await lucia.api.webhooks.switch({ endpointId: id, isOn: false });
  expect(await eventsOf(() => make.product(lucia, { name: 'Off' }))).toEqual([]);
  await lucia.api.webhooks.switch({ endpointId: id, isOn: true });
  expect(await endpointRow(id)).toMatchObject({ disabledAt: null });
});

test('events are deleted after 30 days', async () => {
  await db.update(webhookEvents).set({ happenedAt: earlier(runtime.now(), DAYS(30) + 1) });
  const [last] = await db.select().from(webhookEvents).orderBy(webhookEvents.id).limit(1);
  await db.update(webhookEvents).set({ happenedAt: runtime.now() }).where(eq(webhookEvents.id, last!.id));

  await sweepEvents(ctx);

  expect((await deliveriesOf(id)).map(({ eventId }) => eventId)).toEqual([last!.id]);
});
