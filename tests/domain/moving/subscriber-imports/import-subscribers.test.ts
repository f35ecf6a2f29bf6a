import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { sales, subscriptions } from '~/db/schema/billing';
import { oldFeedAddresses, subscriberImportLines } from '~/db/schema/moving';
import { outbox } from '~/db/schema/notifications';
import { sellerAccounts } from '~/db/schema/seller-accounts';
import { DAYS, HOURS, later } from '~/server/base/time';
import { restoreTaken, takeDown } from '~/server/domain/console/take-down';
import { SUBSCRIBER_IMPORT_LIMITS } from '~/server/limits/moving';
import { movingShop } from '../../../support/moving-shop';
import '../../../support/matchers';

const stage = await movingShop();
const { newCreator, customerIn, copied, upload, work, report, statusOf, runtime, clock, stripe, pass } = stage;
const { db } = runtime;

let mover: Awaited<ReturnType<typeof newCreator>>;
beforeEach(async () => {
  mover = await newCreator();
});
const confirm = async (id: number, over: { stopped?: boolean; welcome?: boolean } = {}) => {
  await mover.creator.api.subscriberImports.confirm({ id, stopped: true, ...over });
  await work();
};
const line = (email: string, customer: string, renewsAt: Date, over: { sub?: string; feed?: string } = {}) =>
  [email, 'Ana Ruiz', customer, over.sub ?? '', '4.20', 'eur', 'month', renewsAt.toISOString(), over.feed ?? ''].join(
    ',',
  );
async function subscriberOf(email: string) {
  const [row] = await db
    .select({ user: users, subscription: subscriptions, grant: grants })
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .leftJoin(grants, and(eq(grants.userId, users.id), eq(grants.productId, mover.show.id)))
    .where(eq(users.email, email));
  return row!;
}
const salesOf = (userId: number) => db.select().from(sales).where(eq(sales.userId, userId)).orderBy(sales.id);

test('no subscriber is imported into a taken-down show until it is restored', async () => {
  const customer = await customerIn('late@mail.example');
  await copied(mover.creator.creatorId, [customer]);
  const lines = [line('late@mail.example', customer, later(clock.now, DAYS(12)))];
  const id = await upload(mover, lines);
  const thing = { operator: { name: 'olga' }, target: 'show', id: mover.show.id } as const;

  await takeDown(stage.ctx, { ...thing, ground: 'law', reason: 'Copied' });

  await expect(confirm(id)).toFailWith('product.taken_down');
  await expect(upload(mover, lines)).toFailWith('product.taken_down');
  await restoreTaken(stage.ctx, thing);
  await confirm(id);
  expect(await statusOf(id)).toBe('done');
});

test('a copied customer is charged on the renewal date first, and hears the show at once', async () => {
  const customer = await customerIn('ana@mail.example');
  await copied(mover.creator.creatorId, [customer]);
  const renewsAt = later(clock.now, DAYS(12));
  const feed = 'https://feeds.old.example/private/abc?x=1';

  const id = await upload(mover, [line('ana@mail.example', customer, renewsAt, { feed })]);
  await confirm(id, { welcome: true });

  expect(await statusOf(id)).toBe('done');
  const { user, subscription, grant } = await subscriberOf('ana@mail.example');
  expect(user).toMatchObject({ name: 'Ana Ruiz', country: null, emailVerifiedAt: null });
  expect(subscription).toMatchObject({
    priceMinor: 420,
    every: 'month',
    periodEnd: renewsAt,
    status: 'active',
    account: null,
  });
  expect(grant).toMatchObject({ source: 'subscription', renews: true });
  const emails = await db.select().from(outbox).where(eq(outbox.to, 'ana@mail.example')).orderBy(outbox.createdAt);
  expect(emails.map(({ topic }) => topic)).toEqual(['subscriber_welcome']);
  expect(await db.$count(oldFeedAddresses, eq(oldFeedAddresses.userId, user.id))).toBe(1);
  expect(await salesOf(user.id)).toEqual([]);

  await pass(later(renewsAt, HOURS(2)));
  expect(await salesOf(user.id)).toMatchObject([{ amountMinor: 420, currency: 'eur' }]);
});

test('without the statement about the former host, nothing starts', async () => {
  const customer = await customerIn('eva@mail.example');
  await copied(mover.creator.creatorId, [customer]);
  const id = await upload(mover, [line('eva@mail.example', customer, later(clock.now, DAYS(5)))]);

  await expect(confirm(id, { stopped: false })).toFailWith('subscriber_import.statement_required');
  expect(await statusOf(id)).toBe('ready');
});

/** An active subscription on a creator's own account. */
async function runningOn(account: string, customer: string, minor = 700) {
  const options = { stripeAccount: account };
  const { id: product } = await stripe.products.create({ name: 'Club' }, options);
  const price_data = { currency: 'eur', unit_amount: minor, recurring: { interval: 'month' as const }, product };
  return stripe.subscriptions.create({ customer, items: [{ price_data }] }, options);
}

test('subscriptions on the connected account stay as they are', async () => {
  const account = await stage.connect(mover);
  const customer = await customerIn('ida@mail.example', { account });
  const running = await runningOn(account, customer);
  const ends = new Date(running.items.data[0]!.current_period_end * 1000);

  const id = await upload(mover, [line('ida@mail.example', customer, later(clock.now, DAYS(3)), { sub: running.id })]);
  expect((await report(mover)).counts).toEqual({ adopt: 1 });
  await confirm(id, { stopped: false });

  const { user, subscription, grant } = await subscriberOf('ida@mail.example');
  expect(subscription).toMatchObject({ providerId: running.id, account, priceMinor: 700, periodEnd: ends });
  expect(grant).toMatchObject({ renews: true });
  const { data } = await stripe.subscriptions.list({ customer }, { stripeAccount: account });
  expect(data).toHaveLength(1);
  expect(await salesOf(user.id)).toEqual([]);

  const again = await upload(mover, [
    line('ida@mail.example', customer, later(clock.now, DAYS(3)), { sub: running.id }),
  ]);
  expect((await report(mover)).counts).toEqual({ already_here: 1 });
  await expect(confirm(again)).toFailWith('subscriber_import.nothing');
});

test('a disconnection ends an import; lines begun on the account are completed first', async () => {
  const account = await stage.connect(mover);
  const names = Array.from({ length: SUBSCRIBER_IMPORT_LIMITS.atOnce + 1 }, (_, at) => `d${at}@mail.example`);
  const lines = [];
  for (const email of names) {
    const customer = await customerIn(email, { account });
    const { id } = await runningOn(account, customer);
    lines.push(line(email, customer, later(clock.now, DAYS(3)), { sub: id }));
  }
  const id = await upload(mover, lines);
  const real = runtime.ports.payments;
  runtime.ports.payments = {
    ...real,
    on: (at) => ({
      ...real.on(at),
      adoptSubscription: async (...args) => {
        await real.on(at).adoptSubscription(...args);
        await db.update(sellerAccounts).set({ status: 'disconnected' }).where(eq(sellerAccounts.accountId, account));
        throw new Error('killed');
      },
    }),
  };

  await confirm(id, { stopped: false }).catch((error) => expect(String(error)).toContain('killed'));
  // the lines that began at the same time
  const isBegun = and(eq(subscriberImportLines.importId, id), isNotNull(subscriberImportLines.checkoutId));
  await expect.poll(() => db.$count(subscriberImportLines, isBegun)).toBe(SUBSCRIBER_IMPORT_LIMITS.atOnce);
  runtime.ports.payments = real;
  await stage.recover();
  await work();

  expect(await report(mover)).toMatchObject({
    status: 'failed',
    done: SUBSCRIBER_IMPORT_LIMITS.atOnce,
    failure: { code: 'subscriber_import.account_gone' },
  });
  expect((await subscriberOf(names[0]!)).subscription).toMatchObject({ account, endedAt: null });
  expect(await db.$count(users, eq(users.email, names.at(-1)!))).toBe(0);
});

test('a line that fails at the provider fails alone', async () => {
  const [good, bad] = [await customerIn('good@mail.example'), await customerIn('bad@mail.example')];
  await copied(mover.creator.creatorId, [good, bad]);
  const renewsAt = later(clock.now, DAYS(9));
  const id = await upload(mover, [line('bad@mail.example', bad, renewsAt), line('good@mail.example', good, renewsAt)]);
  const { importSubscription } = runtime.ports.payments;
  const failing = new Map([[bad, { code: 'payments.rejected' }]]);
  runtime.ports.payments.importSubscription = (input, key) =>
    failing.has(input.customer)
      ? importSubscription({ ...input, card: 'pm_none' }, key)
      : importSubscription(input, key);

  await confirm(id);

  const found = await report(mover);
  expect(found).toMatchObject({ status: 'done', done: 1, failed: 1 });
  runtime.ports.payments.importSubscription = importSubscription;
});

test('an import that continues after a day finds its subscription, and creates no second one', async () => {
  const customer = await customerIn('slow@mail.example');
  await copied(mover.creator.creatorId, [customer]);
  const id = await upload(mover, [line('slow@mail.example', customer, later(clock.now, DAYS(9)))]);
  const { importSubscription } = runtime.ports.payments;
  runtime.ports.payments.importSubscription = async (...args) => {
    await importSubscription(...args);
    throw new Error('killed');
  };
  await expect(confirm(id)).rejects.toThrow('killed');
  runtime.ports.payments.importSubscription = importSubscription;
  // after a day, the provider has forgotten the idempotency keys
  await db.execute(sql`delete from sandbox_stripe.requests`);

  await stage.recover();
  await work();

  expect(await statusOf(id)).toBe('done');
  expect((await stripe.subscriptions.list({ customer })).data).toHaveLength(1);
});
