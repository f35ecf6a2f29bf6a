import { expect, test } from 'vitest';
import type { Subscription } from '~/server/adapters/payments/objects';
import type { SubscriberLine } from '~/server/domain/moving/subscriber-imports/kinds';
import { type LineFacts, outcomeOf } from '~/server/domain/moving/subscriber-imports/line-rules';

const NOW = new Date('2026-11-23T12:00:00Z');
const LINE: SubscriberLine = {
  email: 'ana@mail.example',
  name: 'Ana',
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  priceMinor: 499,
  currency: 'eur',
  every: 'month',
  renewsAt: new Date('2026-12-05T10:00:00Z'),
  startedAt: null,
  hasEnded: false,
  feedUrl: null,
  fault: null,
};
const FACTS: LineFacts = {
  currency: 'eur',
  isDuplicate: false,
  isOwner: false,
  knownSubscription: null,
  isSubscribed: false,
  customerOf: 'creator',
  customer: { email: 'Ana@mail.example', deleted: false, hasCard: true },
  subscriptions: [],
};
const running = (over: Partial<Subscription> = {}) =>
  ({ id: 'sub_1', status: 'active', price: { minor: 499, currency: 'eur' }, endedAt: null, ...over }) as Subscription;
const ended = running({ status: 'canceled', endedAt: NOW });

type Case = [string, Partial<SubscriberLine>, Partial<LineFacts>, string];

test.each<Case>([
  ['runs where we charge', {}, { subscriptions: [running()] }, 'adopt'],
  ['runs, and the file knows the customer only', { subscriptionId: null }, { subscriptions: [running()] }, 'adopt'],
  ['runs beside another one', {}, { subscriptions: [running(), running({ id: 'sub_2' })] }, 'adopt'],
  ['is in a trial', {}, { subscriptions: [running({ status: 'trialing' })] }, 'adopt'],
  ['was not paid lately', {}, { subscriptions: [running({ status: 'past_due' })] }, 'adopt'],
  ['has a price of another time', { priceMinor: 1 }, { subscriptions: [running()] }, 'adopt'],
  ['runs until its end', { hasEnded: true }, { subscriptions: [running()] }, 'adopt'],
  ['has a customer with a card', {}, {}, 'recreate'],
  ['has no email at the provider', {}, { customer: { email: null, deleted: false, hasCard: true } }, 'recreate'],
  ['could not be read', { fault: 'bad_date' }, {}, 'bad_date'],
  ['has no ids', { customerId: null, subscriptionId: null }, {}, 'no_ids'],
  ['was there before', {}, { isDuplicate: true }, 'duplicate'],
  ['was imported before', {}, { knownSubscription: 'own' }, 'already_here'],
  ['is paid to another creator', {}, { knownSubscription: 'other' }, 'other_creator'],
  ['is of a listener who subscribes', {}, { isSubscribed: true }, 'already_subscribed'],
  ['is of the creator', {}, { isOwner: true }, 'own_account'],
  ['names a customer of another creator', {}, { customerOf: 'other' }, 'other_creator'],
  [
    'names a customer of another creator, which runs',
    {},
    { customerOf: 'other', subscriptions: [running()] },
    'other_creator',
  ],
  [
    'names a customer with another address',
    {},
    { customer: { email: 'eva@mail.example', deleted: false, hasCard: true } },
    'other_person',
  ],
  ['names no customer that there is', {}, { customer: null }, 'unknown_customer'],
  ['names a deleted customer', {}, { customer: { email: null, deleted: true, hasCard: false } }, 'unknown_customer'],
  ['names no subscription that there is', { customerId: null }, { customer: null }, 'unknown_subscription'],
  ['has ended at the provider', {}, { subscriptions: [ended] }, 'ended'],
  ['has ended by the file', { hasEnded: true }, {}, 'ended'],
  ['has ended by the file, unknown', { hasEnded: true }, { customer: null }, 'ended'],
  [
    'has two that run',
    { subscriptionId: null },
    { subscriptions: [running(), running({ id: 'sub_2' })] },
    'several_subscriptions',
  ],
  ['still runs as another one', {}, { subscriptions: [running({ id: 'sub_2' })] }, 'still_renews'],
  ['is not paid any more', {}, { subscriptions: [running({ status: 'unpaid' })] }, 'not_active'],
  [
    'runs in another currency',
    {},
    { subscriptions: [running({ price: { minor: 499, currency: 'usd' } })] },
    'other_currency',
  ],
  ['runs for nothing', {}, { subscriptions: [running({ price: { minor: 0, currency: 'eur' } })] }, 'no_price'],
  ['has another currency', { currency: 'usd' }, {}, 'other_currency'],
  ['has a currency that we do not sell in', { currency: 'jpy' }, {}, 'other_currency'],
  ['has no price', { priceMinor: null }, {}, 'no_price'],
  ['has no currency', { currency: null }, {}, 'no_price'],
  ['has no interval', { every: null }, {}, 'no_price'],
  ['costs too much', { priceMinor: 50_001 }, {}, 'price_bounds'],
  ['costs as much in a year', { priceMinor: 50_001, every: 'year' }, {}, 'recreate'],
  ['has no renewal', { renewsAt: null }, {}, 'no_renewal'],
  ['renews now', { renewsAt: NOW }, {}, 'renewal_passed'],
  ['renews in three years', { renewsAt: new Date('2029-11-23T12:00:00Z') }, {}, 'renewal_far'],
  ['has no card', {}, { customer: { email: null, deleted: false, hasCard: false } }, 'no_card'],
])('a line that %s', (_, line, facts, expected) => {
  const outcome = outcomeOf({ ...LINE, ...line }, { ...FACTS, ...facts }, NOW);

  expect(outcome.kind === 'skip' ? outcome.reason : outcome.kind).toBe(expected);
});
