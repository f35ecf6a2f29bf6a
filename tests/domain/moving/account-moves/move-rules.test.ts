import { expect, test } from 'vitest';
import { firstCharge, movableAt, stayReason } from '~/server/domain/moving/account-moves/rules';

const NOW = new Date('2026-11-23T12:00:00Z');
const at = (text: string) => new Date(`2026-${text}:00Z`);
const GOOD = {
  status: 'active',
  endsAt: null,
  endedAt: null,
  paused: false,
  discounted: false,
  hasCard: true,
} as const;

test.each([
  ['renews at its price', {}, null],
  ['has ended', { status: 'canceled', endedAt: NOW }, 'not_active'],
  ['will end', { endsAt: NOW }, 'ending'],
  ['is paused', { paused: true }, 'paused'],
  ['is in its trial', { status: 'trialing' }, 'trial'],
  ['was not paid', { status: 'past_due' }, 'past_due'],
  ['is given up', { status: 'unpaid' }, 'past_due'],
  ['was never paid', { status: 'incomplete' }, 'not_active'],
  ['has a discount', { discounted: true }, 'discounted'],
  ['has no card', { hasCard: false }, 'no_card'],
] as const)('a subscription that %s', (_, facts, reason) => {
  expect(stayReason({ ...GOOD, ...facts } as Parameters<typeof stayReason>[0])).toBe(reason);
});

test.each([
  ['in the middle of its period', '11-10T12:00', '12-10T12:00', '11-23T12:00'],
  ['just renewed', '11-23T11:00', '12-23T11:00', '11-23T14:00'],
  ['about to renew', '10-23T13:00', '11-23T13:00', '11-23T16:00'],
  ['three hours before', '10-23T15:01', '11-23T15:01', '11-23T12:00'],
])('one that is %s moves at', (_, start, end, expected) => {
  expect(movableAt({ periodStart: at(start), periodEnd: at(end) }, NOW)).toEqual(at(expected));
});

test('the first charge is on the renewal; one that has passed meanwhile comes soon', () => {
  expect(firstCharge(at('12-10T12:00'), NOW)).toEqual(at('12-10T12:00'));
  expect(firstCharge(at('11-22T12:00'), NOW)).toEqual(at('11-23T13:00'));
});
