import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants, holders } from '~/db/schema/access';
import { sales } from '~/db/schema/billing';
import { DAYS, later } from '~/server/base/time';
import { freeConversionState } from '~/server/domain/access/free-conversion';
import { endAccess, grantAccess } from '~/server/domain/access/grant-access';
import { currentUser } from '~/server/domain/accounts/base/queries';
import { listBuyersAfter } from '~/server/domain/billing/buyers/buyer-list';
import { listBuyers } from '~/server/domain/billing/buyers/buyers';
import { leavingShows } from '~/server/domain/moving/redirects/queries';
import { countPlanUse } from '~/server/domain/plans/queries';
import { listOwnProducts } from '~/server/domain/products/product-catalog';
import { type Ctx, transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { expectRebuilt } from '../../support/expect-rebuilt';
import { lockWaits } from '../../support/lock-waits';
import { rowsRead } from '../../support/rows-read';

const { runtime, make, ctxOf, lucia, paidPodcast, podcast, clock } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const day = (n: number) => later(clock.now, DAYS(n));

type Source = 'follow' | 'subscription' | 'purchase' | 'gift';
const key = (userId: number, source: Source, productId = paidPodcast.id) => ({ userId, productId, source });
const give = (userId: number, source: Source, endsAt: Date | null = null, productId = paidPodcast.id) =>
  transact(ctx, (tx) => grantAccess(tx, { ...key(userId, source, productId), endsAt }));
const take = (userId: number, source: Source) => transact(ctx, (tx) => endAccess(tx, key(userId, source)));

async function addSubscribers(count: number) {
  await db.execute(sql`
    with people as (
      insert into users (email, name, password_hash, language, currency, terms_accepted_at)
      select gen_random_uuid() || '@mail.example', 'N', 'none', 'en', 'eur', now() from generate_series(1, ${count}) n returning id)
    insert into grants (user_id, product_id, source, starts_at, drips_from, ends_at)
    select id, ${paidPodcast.id}, 'subscription', ${clock.now.toISOString()}, ${clock.now.toISOString()}, ${day(30).toISOString()} from people`);
  await db.execute(sql`vacuum analyze`);
}

const use = async (at = clock.now) => {
  const { subscribers, paidSubscribers } = await countPlanUse({ ...ctx, now: () => at }, lucia.creatorId);
  return { subscribers, paidSubscribers };
};

async function pay(userId: number, productId = paidPodcast.id) {
  const [number] = await db.execute<{ next: number }>(sql`select count(*)::int + 1 as next from sales`);
  await db.insert(sales).values({
    ...{ paymentId: randomUUID(), purpose: 'gift', userId, creatorId: lucia.creatorId, productId, name: 'Club' },
    ...{ amountMinor: 500, currency: 'eur', plan: 'PRO', commissionBasisPoints: 0, commissionFixedMinor: 0 },
    ...{ commissionMinor: 0, paidAt: clock.now, legalEntity: 'test', receiptNumber: number!.next, seller: 'Altavoz' },
    buyer: { name: 'Ana', street: null, postalCode: null, city: null, country: null, taxNumber: null },
  });
}

test('people are counted once, until the instant at which their last access ends', async () => {
  const before = await use();
  const [one, two, three] = [await make.person(), await make.person(), await make.person()];
  await give(one.id, 'follow', null, podcast.id);
  await give(one.id, 'gift', day(3));
  await give(two.id, 'subscription', day(5));
  await give(two.id, 'gift', day(2));
  await give(three.id, 'purchase');

  const counts = async (at: Date) => {
    const { subscribers, paidSubscribers } = await use(at);
    return [subscribers - before.subscribers, paidSubscribers - before.paidSubscribers];
  };

  expect(await counts(clock.now)).toEqual([3, 3]);
  expect(await counts(later(day(3), -1))).toEqual([3, 3]);
  expect(await counts(day(3))).toEqual([3, 2]);
  expect(await counts(day(5))).toEqual([2, 1]);
  await expectRebuilt(db);
});

test('renewals, ends, payments and deletions leave what a rebuild would store', async () => {
  const [one, two, giver] = [await make.person(), await make.person(), await make.person()];
  await give(one.id, 'subscription', day(10));
  await give(one.id, 'subscription', day(40));
  await give(two.id, 'gift', day(10));
  await take(two.id, 'gift');
  await pay(giver.id);
  await pay(one.id);
  await expectRebuilt(db);

  await db.update(sales).set({ userId: null }).where(eq(sales.userId, giver.id));
  await db.delete(grants).where(eq(grants.userId, two.id));
  await expectRebuilt(db);

  const left = await db.select().from(holders).where(eq(holders.userId, two.id)).orderBy(holders.productId);
  expect(left).toEqual([]);
});

test('one statement about many people is counted in one step', async () => {
  const before = await use();
  const people = [await make.person(), await make.person(), await make.person()];
  const row = { productId: paidPodcast.id, source: 'gift' as const, startsAt: clock.now };

  await db.insert(grants).values(people.map(({ id: userId }) => ({ ...row, userId })));

  expect(await use()).toEqual({
    subscribers: before.subscribers + 3,
    paidSubscribers: before.paidSubscribers + 3,
  });
  await db.update(grants).set({ endsAt: day(1) });
  await expectRebuilt(db);
});

test.each([
  ['another grant', (userId: number) => give(userId, 'purchase')],
  ['the end of the first', (userId: number) => take(userId, 'subscription')],
  ['a payment', (userId: number) => pay(userId)],
  ['the deletion of all', (userId: number) => db.delete(grants).where(eq(grants.userId, userId))],
])('a grant whose transaction overlaps with %s of the same person is counted once', async (_, other) => {
  const before = await use();
  const { id } = await make.person();
  await give(id, 'subscription', day(9));
  let second: Promise<unknown> | undefined;

  await transact(ctx, async (tx) => {
    await grantAccess(tx, { ...key(id, 'gift'), endsAt: day(20) });
    second = Promise.resolve(other(id));
    await lockWaits(db);
  });
  await second;

  await expectRebuilt(db);
  expect((await use()).subscribers - before.subscribers).toBe(
    (await db.$count(grants, eq(grants.userId, id))) > 0 ? 1 : 0,
  );
});

test('pages with counts or lists do not read 4,000 more subscribers', async () => {
  const owner = ctxOf(lucia);
  const club = { id: paidPodcast.id, kind: 'podcast' } as const;
  const pages: Record<string, (ctx: Ctx) => Promise<unknown>> = {
    account: (tx) => currentUser(tx),
    shows: (tx) => listOwnProducts(tx, { page: 1, pageSize: 20, archived: false, ordering: 'name' }),
    list: (tx) => listBuyers(tx, { ...club, page: 1, pageSize: 3 }),
    state: (tx) => listBuyers(tx, { ...club, page: 1, pageSize: 3, state: 'subscribed' }),
    ended: (tx) => listBuyers(tx, { ...club, page: 1, pageSize: 3, state: 'ended' }),
    search: (tx) => listBuyers(tx, { ...club, page: 1, pageSize: 3, search: 'nobody@nowhere' }),
    free: (tx) => freeConversionState(tx, club),
    leaving: (tx) => leavingShows(tx),
    file: (tx) => listBuyersAfter(tx, { ...paidPodcast, creatorId: lucia.creatorId } as never, { after: 0, limit: 3 }),
  };
  const tables = ['grants', 'holders', 'holder_counts', 'grant_counts', 'buyer_states', 'buyer_state_counts'].concat([
    'subscriptions',
    'sales',
    'users',
  ]);
  const readAll = async () => {
    const read: Record<string, number> = {};
    for (const [name, page] of Object.entries(pages)) read[name] = await rowsRead(owner, page, tables);
    return read;
  };
  await addSubscribers(2000);
  const before = await readAll();

  await addSubscribers(4000);

  const after = await readAll();
  for (const [name, rows] of Object.entries(before)) expect(after[name], name).toBeLessThan(rows + 400);
});
