import { expect, test } from 'vitest';
import { readDate, readHeader, readLine } from '~/server/domain/moving/subscriber-imports/columns';
import type { SubscriberLine } from '~/server/domain/moving/subscriber-imports/kinds';

function read(header: string, line: string): SubscriberLine & { format: string } {
  const found = readHeader(header.split(','))!;
  return { ...readLine(line.split(','), found.header), format: found.format };
}

const PEOPLE = { email: 'ana+podcast@mail.example', name: 'Ana', customerId: 'cus_A1', subscriptionId: 'sub_A1' };

test.each([
  [
    'our own',
    'email,name,state,since,until,renews,interval,price,revenue,currency,customer,subscription',
    'Ana+podcast@mail.example,Ana,subscribed,2026-01-01T00:00:00.000Z,,2026-12-05T10:00:00.000Z,month,4.99,59.88,eur,cus_A1,sub_A1',
    { format: 'altavoz', ...PEOPLE, priceMinor: 499, currency: 'eur', every: 'month' },
  ],
  [
    'Stripe',
    'id,Customer ID,Customer Description,Customer Email,Plan,Quantity,Currency,Interval,Amount,Status,Created (UTC),Current Period End (UTC)',
    'sub_A1,cus_A1,x,ana+podcast@mail.example,price_1,1,usd,year,49.90,active,2026-01-01 10:00,2026-12-05 10:00',
    { format: 'stripe', ...PEOPLE, name: '', priceMinor: 4990, currency: 'usd', every: 'year' },
  ],
  [
    'Ghost',
    'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers',
    '65f,ana+podcast@mail.example,Ana,,true,false,cus_A1,2026-01-01T00:00:00.000Z,,,',
    { format: 'ghost', ...PEOPLE, subscriptionId: null, priceMinor: null, every: null, renewsAt: null },
  ],
  [
    'Memberful',
    'Full Name,Email,Plan,Price,Stripe Customer ID,Active,Expires At,Currency,Billing interval',
    'Ana,ana+podcast@mail.example,Club,$4.99,cus_A1,Yes,2026-12-05,USD,monthly',
    { format: 'memberful', ...PEOPLE, subscriptionId: null, priceMinor: 499, currency: 'usd', every: 'month' },
  ],
  [
    'Supercast',
    'First Name,Last Name,Email,Plan Price Cents,Plan Price Currency,State,Stripe Customer ID,Stripe Subscription ID,Feed URL',
    'Ana,Ruiz,ana+podcast@mail.example,499,EUR,available,cus_A1,sub_A1,https://feeds.old.example/x/1',
    { format: 'supercast', ...PEOPLE, name: 'Ana Ruiz', priceMinor: 499, feedUrl: 'https://feeds.old.example/x/1' },
  ],
  [
    'Patreon',
    'Name,Email,Patron Status,Pledge Amount,Charge Frequency,Currency,Next Charge Date',
    'Ana,ana+podcast@mail.example,Active patron,5,monthly,EUR,2026-12-05',
    { format: 'patreon', email: PEOPLE.email, customerId: null, priceMinor: 500, hasEnded: false },
  ],
])('the export of %s is recognized', (_, header, line, expected) => {
  expect(read(header, line)).toMatchObject({ ...expected, fault: null });
});

test('without a column of addresses, a file names no subscribers', () => {
  expect(readHeader(['customer', 'subscription'])).toBeNull();
});

test.each([
  ['email', 'not an address', 'bad_email'],
  ['customer', 'ana', 'bad_id'],
  ['subscription', "sub_1'; drop table users", 'bad_id'],
  ['price', '1.234,50', 'bad_price'],
  ['price', '30000000', 'bad_price'],
  ['interval', 'weekly', 'bad_interval'],
  ['renews', '03/04/2026', 'bad_date'],
  ['renews', '2026-13-45', 'bad_date'],
  ['renews', '0000-01-01', 'bad_date'],
  ['renews', '0001-01-01T00:00:00+05:00', 'bad_date'],
  ['renews', '9999-12-31', 'bad_date'],
])('a bad %s is named', (column, cell, fault) => {
  const names = ['email', 'customer', 'subscription', 'price', 'interval', 'renews'];
  const cells = names.map((name) => (name === column ? cell : name === 'email' ? 'ana@mail.example' : ''));

  expect(readLine(cells, readHeader(names)!.header).fault).toBe(fault);
});

test.each([
  ['2026-12-05T10:00:00Z', '2026-12-05T10:00:00.000Z'],
  ['2026-12-05 10:00', '2026-12-05T10:00:00.000Z'],
  ['2026-12-05 10:00:00 UTC', '2026-12-05T10:00:00.000Z'],
  ['2026-12-05 10:00:00 +0200', '2026-12-05T08:00:00.000Z'],
  ['1796464800', '2026-12-05T10:00:00.000Z'],
  // a renewal is never charged before its date
  ['2026-12-05', '2026-12-05T23:59:00.000Z'],
])('the date %s is read', (text, expected) => {
  expect((readDate(text) as Date).toISOString()).toBe(expected);
});

test.each(['Cancelled', 'canceled', 'Former patron', 'Declined patron', 'not_renewing', 'No', 'expired'])(
  'the state %s has ended',
  (status) => {
    expect(read('email,status', `ana@mail.example,${status}`).hasEnded).toBe(true);
  },
);

test.each(['active', 'Yes', 'trialing', 'subscribed', 'Active patron', 'available', 'past_due'])(
  'the state %s runs',
  (status) => {
    expect(read('email,status', `ana@mail.example,${status}`).hasEnded).toBe(false);
  },
);
