import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { testSandbox } from './support/sandbox';

const { stripe, sandbox, clock, client, url } = await testSandbox();
const other = await testSandbox({ url, now: () => clock.now });

const openSession = () =>
  stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://product.localhost/thanks',
    line_items: [{ price_data: { currency: 'eur', unit_amount: 500, product_data: { name: 'Ruido' } }, quantity: 1 }],
  });
const statusOf = async (id: string) => (await stripe.checkout.sessions.retrieve(id)).status;

test('a payment page that one process opens in the past expires in no other one, until the past is over', async () => {
  await sandbox.setTime(new Date(clock.now.getTime() - 30 * 86_400_000));
  const { id } = await openSession();

  expect(await other.sandbox.tick()).toBe(0);
  const inThePast = await statusOf(id);
  await sandbox.setTime(null);
  await other.sandbox.tick();

  expect([inThePast, await statusOf(id)]).toEqual(['open', 'expired']);
});

test('a process that was killed in the past delays the others for a minute only', async () => {
  await sandbox.setTime(new Date(clock.now.getTime() - 30 * 86_400_000));
  const { id } = await openSession();
  await client`
    update sandbox_stripe.settings set value = json_build_object('holder', value->>'holder', 'until', (value->>'until')::float8 - 60)
    where name = 'past'`;

  await other.sandbox.tick();

  expect(await statusOf(id)).toBe('expired');
  await sandbox.setTime(null);
});

test('a start changes no table that is up to date, so it waits for no transaction of another process', async () => {
  const writer = postgres(url, { max: 1 });
  onTestFinished(() => writer.end());
  await writer.begin(async (sql) => {
    await sql`lock table sandbox_stripe.objects in row exclusive mode`;

    const late = await testSandbox({ url });

    expect(await late.sandbox.deliveries()).toEqual({});
  });
});

test('processes that start together on an empty database, or on tables without a version, create the same', async () => {
  await client`drop schema sandbox_stripe cascade`;
  await Promise.all([testSandbox({ url }), testSandbox({ url }), testSandbox({ url })]);
  await client`delete from sandbox_stripe.settings where name = 'version'`;

  const [{ stripe: late }] = await Promise.all([testSandbox({ url }), testSandbox({ url })]);

  expect((await late.customers.create({ name: 'Ana' })).object).toBe('customer');
  const [version] = await client`select value from sandbox_stripe.settings where name = 'version'`;
  expect(version).toEqual({ value: 2 });
});
