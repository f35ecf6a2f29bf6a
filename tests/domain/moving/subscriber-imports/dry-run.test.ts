import { beforeAll, expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { DAYS, later } from '~/server/base/time';
import { movingShop } from '../../../support/moving-shop';
import '../../../support/matchers';

const stage = await movingShop();
const { newCreator, customerIn, copied, upload, report, runtime, clock, lucia, stripe } = stage;

const renews = later(clock.now, DAYS(12)).toISOString();
const line = (
  email: string,
  customer: string,
  over: { price?: string; currency?: string; at?: string; sub?: string } = {},
) =>
  [
    email,
    'Ana',
    customer,
    over.sub ?? '',
    over.price ?? '4.99',
    over.currency ?? 'eur',
    'month',
    over.at ?? renews,
    '',
  ].join(',');

let mover: Awaited<ReturnType<typeof newCreator>>;
let good: string;
beforeAll(async () => {
  mover = await newCreator();
  good = await customerIn('ana@mail.example');
  await copied(mover.creator.creatorId, [good]);
});

/** A customer's cancelled subscription. */
async function endedOf(customer: string): Promise<string> {
  const { id: product } = await stripe.products.create({ name: 'Club' });
  const price_data = { currency: 'eur', unit_amount: 499, recurring: { interval: 'month' as const }, product };
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price_data }] });
  await stripe.subscriptions.cancel(id);
  return id;
}

test('a dry run tells what each line becomes, and writes nothing else', async () => {
  const other = await newCreator();
  const theirs = await customerIn('theirs@mail.example');
  const nobodys = await customerIn('nobody@mail.example');
  const cardless = await customerIn('poor@mail.example', { card: false });
  await copied(other.creator.creatorId, [theirs]);
  const [dollar, gone] = [await customerIn('dollar@mail.example'), await customerIn('gone@mail.example')];
  const ended = await endedOf(gone);
  await copied(mover.creator.creatorId, [theirs, cardless, dollar, gone]);
  const people = await runtime.db.$count(users);

  await upload(mover, [
    line('ana@mail.example', good),
    line('ANA@mail.example', good),
    line('eva@mail.example', good.replace('cus_', 'cus_x')),
    line('theirs@mail.example', theirs),
    line('nobody@mail.example', nobodys),
    line('poor@mail.example', cardless),
    line('usd@mail.example', 'cus_unknown', { currency: 'usd' }),
    line('not an address', good),
    line('late@mail.example', 'cus_unknown', { at: 'yesterday' }),
    line('rich@mail.example', 'cus_unknown', { price: '30000000' }),
    line('old@mail.example', 'cus_unknown', { at: '0001-01-01T00:00:00+05:00' }),
    line('dollar@mail.example', dollar, { currency: 'usd' }),
    line('gone@mail.example', gone, { sub: ended }),
  ]);

  const found = await report(mover);
  expect(found.status).toBe('ready');
  expect(found.counts).toEqual({
    recreate: 1,
    duplicate: 1,
    unknown_customer: 2,
    other_creator: 2,
    no_card: 1,
    bad_email: 1,
    bad_date: 2,
    bad_price: 1,
    other_currency: 1,
    ended: 1,
  });
  expect(found.sums).toEqual([{ currency: 'eur', every: 'month', lines: 1, minor: 499 }]);
  expect(found.renewals).toEqual([{ day: renews.slice(0, 10), lines: 1 }]);
  expect(await runtime.db.$count(users)).toBe(people);
  expect(await runtime.db.$count(subscriptions)).toBe(0);
  const problems = await mover.creator.api.subscriberImports.exportProblems({ id: found.id });
  expect(problems.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'duplicate'],
    [3, 'unknown_customer'],
    [4, 'other_creator'],
    [5, 'other_creator'],
    [6, 'no_card'],
    [7, 'unknown_customer'],
    [8, 'bad_email'],
    [9, 'bad_date'],
    [10, 'bad_price'],
    [11, 'bad_date'],
    [12, 'other_currency'],
    [13, 'ended'],
  ]);
  await expect(lucia.api.subscriberImports.problems({ id: found.id })).toFailWith('subscriber_import.not_found');
});

test('one list of a creator at a time; a cancelled one makes room', async () => {
  const { id } = await report(mover);
  await expect(upload(mover, [line('ana@mail.example', good)])).toFailWith('subscriber_import.already_importing');

  await mover.creator.api.subscriberImports.cancel({ id });
  await mover.creator.api.subscriberImports.cancel({ id });

  const next = await upload(mover, [line('ana@mail.example', good)]);
  expect(next).not.toBe(id);
  await mover.creator.api.subscriberImports.cancel({ id: next });
});

test.each([
  ['without addresses', 'name,customer_id\nAna,cus_1\n', 'subscriber_import.no_addresses'],
  ['without lines', 'email,customer_id\n', 'subscriber_import.empty'],
  ['of another kind', Buffer.from([80, 75, 3, 4, 0, 0, 0]), 'subscriber_import.not_csv'],
])('a file %s is refused', async (_, content, code) => {
  const subscribersKey = await stage.make.upload(mover.creator, 'subscribers', Buffer.from(content));

  await expect(mover.creator.api.subscriberImports.request({ ...mover.ref, subscribersKey })).toFailWith(code);
});

test('a free show takes no subscribers who pay', async () => {
  const show = await stage.make.product(mover.creator, { name: 'Gratis' });
  const subscribersKey = await stage.make.upload(mover.creator, 'subscribers', Buffer.from('email\na@b.example\n'));

  const request = mover.creator.api.subscriberImports.request({ id: show.id, kind: 'podcast', subscribersKey });
  await expect(request).toFailWith('subscriber_import.show_not_sold');
});
