import { randomUUID } from 'node:crypto';
import { count, eq, inArray, sql, sum } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { DAYS, later } from '~/server/base/time';
import { freeConversionState } from '~/server/domain/access/free-conversion';
import { revenueOfShow } from '~/server/domain/billing/buyers/show-revenue';
import { listPlanInvoices } from '~/server/domain/billing/plan-billing/plan-overview';
import { moveOverview, whereMovable } from '~/server/domain/moving/account-moves/queries';
import { type Ctx, transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../../support/cast';
import { lockWaits } from '../../../support/lock-waits';
import { rowsRead } from '../../../support/rows-read';

const { runtime, make, ctxOf, lucia, clock } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const owner = ctxOf(lucia);
const { creatorId } = lucia;
type Facts = Partial<typeof subscriptions.$inferInsert>;

const shows = [await make.product(lucia, { priceMinor: 500 }), await make.product(lucia, { priceMinor: 900 })];
const people = await Promise.all(Array.from({ length: 6 }, () => make.person()));
const checkoutId = randomUUID();
await db.insert(checkouts).values({
  ...{ id: checkoutId, purpose: 'show', userId: people[0]!.id, creatorId, productId: shows[0]!.id, status: 'settled' },
  ...{ terms: {} as never, language: 'es', expiresAt: clock.now },
});

const subscription = (userId: number, productId: number, facts: Facts = {}): typeof subscriptions.$inferInsert => ({
  ...{ providerId: randomUUID(), customerId: 'cus', purpose: 'show', userId, creatorId, productId, status: 'active' },
  ...{ priceMinor: 500, currency: 'eur', every: 'month', startedAt: clock.now, periodStart: clock.now },
  ...{ periodEnd: later(clock.now, DAYS(30)), syncedAt: clock.now, ...facts },
});

const stored = async () => [
  ...(await db.execute(sql`
    select creator_id, product_id, currency, every, is_movable, is_pausable, subscriptions, price_minor::int
    from subscription_sums order by 1, 2, 3, 4, 5, 6`)),
];
const recounted = async () => [
  ...(await db.execute(sql`
    select creator_id, product_id, currency, every, account is null and checkout_id is not null as is_movable,
      every = 'month' and ends_at is null and past_due_since is null and status <> 'trialing' or paused_until is not null
        as is_pausable, count(*)::int as subscriptions, sum(price_minor)::int as price_minor
    from subscriptions where purpose = 'show' and ended_at is null
    group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`)),
];

/** What pages show equals what a count of all subscriptions shows. */
async function expectRecounted() {
  expect(await stored()).toEqual(await recounted());
  const { currency, every, priceMinor } = subscriptions;
  const movable = await db
    .select({ currency, every, lines: count(), minor: sum(priceMinor).mapWith(Number) })
    .from(subscriptions)
    .where(whereMovable(creatorId))
    .groupBy(currency, every)
    .orderBy(currency, every);
  expect((await moveOverview(owner)).sums).toEqual(movable);
}

const facts = fc.record({
  status: fc.constantFrom('active' as const, 'trialing' as const, 'past_due' as const),
  every: fc.constantFrom('month' as const, 'year' as const),
  currency: fc.constantFrom('eur' as const, 'usd' as const),
  priceMinor: fc.integer({ min: 100, max: 10_000 }),
  checkoutId: fc.constantFrom(checkoutId, null),
  account: fc.constantFrom('acct_1', null),
  endsAt: fc.constantFrom(clock.now, null),
  endedAt: fc.constantFrom(clock.now, null, null),
  pastDueSince: fc.constantFrom(clock.now, null),
  pausedUntil: fc.constantFrom(clock.now, null),
});
const change = fc.record({
  kind: fc.constantFrom('insert' as const, 'update' as const, 'delete' as const),
  of: fc.uniqueArray(fc.nat(people.length - 1), { minLength: 1 }),
  show: fc.nat(shows.length - 1),
  facts,
});

test('any sequence of changes, of one subscription or of many at once, leaves what a count finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
      await db.delete(subscriptions).where(eq(subscriptions.creatorId, creatorId));
      for (const { kind, of, show, facts } of changes) {
        const ids = of.map((at) => people[at]!.id);
        const own = inArray(subscriptions.userId, ids);
        const rows = ids.map((id) => subscription(id, shows[show]!.id, facts));
        if (kind === 'insert') await db.insert(subscriptions).values(rows).onConflictDoNothing();
        // only one subscription of a person to a show may run
        else if (kind === 'update')
          await db
            .update(subscriptions)
            .set({ ...facts, endedAt: clock.now })
            .where(own);
        else await db.delete(subscriptions).where(own);
      }
      await expectRecounted();
    }),
    { numRuns: 25 },
  );
});

test('two changes of one show at once are both counted, also while its last subscription ends', async () => {
  await db.delete(subscriptions).where(eq(subscriptions.creatorId, creatorId));
  const [one, two] = people.map(({ id }) => id);
  await db.insert(subscriptions).values(subscription(one!, shows[0]!.id));
  let second: Promise<unknown> | undefined;

  await transact(ctx, async (tx) => {
    await tx.db.update(subscriptions).set({ endedAt: clock.now }).where(eq(subscriptions.userId, one!));
    second = Promise.resolve(db.insert(subscriptions).values(subscription(two!, shows[0]!.id)));
    await lockWaits(db);
  });
  await second;

  await expectRecounted();
  expect(await stored()).toMatchObject([{ subscriptions: 1, price_minor: 500 }]);
});

test('a renewal changes no sum, and so waits for no other change of its show', async () => {
  await db.delete(subscriptions).where(eq(subscriptions.creatorId, creatorId));
  const [one, two] = people.map(({ id }) => id);
  await db.insert(subscriptions).values([subscription(one!, shows[0]!.id), subscription(two!, shows[0]!.id)]);

  await transact(ctx, async (tx) => {
    await tx.db.update(subscriptions).set({ endsAt: clock.now }).where(eq(subscriptions.userId, one!));
    await db
      .update(subscriptions)
      .set({ periodEnd: later(clock.now, DAYS(60)) })
      .where(eq(subscriptions.userId, two!));
  });

  await expectRecounted();
});

async function addSubscribers(many: number) {
  await db.execute(sql`
    with people as (
      insert into users (email, name, password_hash, language, currency, terms_accepted_at)
      select gen_random_uuid() || '@mail.example', 'N', 'none', 'en', 'eur', now() from generate_series(1, ${many}) n returning id),
    running as (
      insert into subscriptions (provider_id, customer_id, checkout_id, purpose, user_id, creator_id, product_id, status, price_minor,
        currency, every, started_at, period_start, period_end, synced_at)
      select gen_random_uuid(), 'cus', ${checkoutId}, 'show', id, ${creatorId}, ${shows[0]!.id}, 'active', 500, 'eur', 'month', now(),
        now(), now() + interval '30 days', now() from people),
    access as (
      insert into grants (user_id, product_id, source, ends_at, renews)
      select id, ${shows[0]!.id}, 'subscription', now() + interval '44 days', true from people)
    insert into sales (payment_id, purpose, user_id, creator_id, product_id, name, amount_minor, currency, plan, commission_basis_points,
      commission_fixed_minor, commission_minor, paid_at, legal_entity, receipt_number, buyer, seller)
    select gen_random_uuid(), 'show', id, ${creatorId}, ${shows[0]!.id}, 'Club', 500, 'eur', 'PRO', 0, 0, 0, now(), 'test', id, '{}', 'Altavoz'
    from people`);
  await db.execute(sql`vacuum analyze`);
}

test('pages about a show, a plan, a move and a show that becomes free do not read 900 more subscribers', async () => {
  const pages: Record<string, (ctx: Ctx) => Promise<unknown>> = {
    revenue: (tx) => revenueOfShow(tx, { id: shows[0]!.id, kind: 'podcast' }),
    move: (tx) => moveOverview(tx),
    invoices: (tx) => listPlanInvoices(tx),
    free: (tx) => freeConversionState(tx, { id: shows[0]!.id, kind: 'podcast' }),
  };
  const readAll = async () => {
    const read: Record<string, number> = {};
    for (const [name, page] of Object.entries(pages))
      read[name] = await rowsRead(owner, page, ['subscriptions', 'subscription_sums', 'sales']);
    return read;
  };
  await addSubscribers(300);
  const before = await readAll();

  await addSubscribers(900);

  const after = await readAll();
  for (const [name, rows] of Object.entries(before)) expect(after[name], name).toBeLessThan(rows + 200);
});
