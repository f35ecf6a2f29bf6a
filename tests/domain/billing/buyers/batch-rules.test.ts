import { expect, test } from 'vitest';
import { addressesOf, type Known, newcomersPerDay, placeInvited } from '~/server/domain/billing/buyers/batch-rules';

test.each([
  ['ana@mail.example', 'ana@mail.example'],
  ['  Ana@Mail.Example ', 'ana@mail.example'],
  ['ana', null],
  ['', null],
  ['a\u0000b@mail.example', null],
  [`${'x'.repeat(250)}@mail.example`, null],
])('%j is the address %j', (email, address) => {
  expect(addressesOf([{ email }])).toEqual([address]);
});

const NEW: Known = { hasGift: false, isCounted: false, wasHeld: false };

test.each<[string, string[], Record<string, Partial<Known>>, number, Record<string, string>]>([
  ['new people have room', ['a', 'b'], {}, 2, { a: 'granted', b: 'granted' }],
  ['the first ones get the room', ['a', 'b'], {}, 1, { a: 'granted', b: 'no_room' }],
  ['an account alone needs room', ['a'], { a: {} }, 0, { a: 'no_room' }],
  ['who is counted needs no room', ['a', 'b'], { a: { isCounted: true } }, 0, { a: 'granted', b: 'no_room' }],
  [
    'who has access keeps it',
    ['a', 'b'],
    { a: { hasGift: true, isCounted: true } },
    1,
    { a: 'has_access', b: 'granted' },
  ],
  ['an address takes room once', ['a', 'a', 'b'], {}, 2, { a: 'granted', b: 'granted' }],
  ['a plan may be over its limit', ['a'], {}, -3, { a: 'no_room' }],
  ['there may be no limit', ['a'], {}, Number.POSITIVE_INFINITY, { a: 'granted' }],
])('%s', (_, addresses, known, room, expected) => {
  const facts = new Map(Object.entries(known).map(([address, some]) => [address, { ...NEW, ...some }]));

  expect(Object.fromEntries(placeInvited(addresses, facts, { room, newcomers: 10 }))).toEqual(expected);
});

test.each<[string, string[], Record<string, Partial<Known>>, number, Record<string, string>]>([
  ['the first newcomers come first', ['a', 'b'], {}, 1, { a: 'granted', b: 'try_later' }],
  ['an account alone is a newcomer', ['a'], { a: {} }, 0, { a: 'try_later' }],
  ['who had access before is none', ['a', 'b'], { a: { wasHeld: true } }, 1, { a: 'granted', b: 'granted' }],
  ['the room of the plan counts first', ['a', 'b', 'c'], {}, 2, { a: 'granted', b: 'granted', c: 'no_room' }],
])('%s', (_, addresses, known, newcomers, expected) => {
  const facts = new Map(Object.entries(known).map(([address, some]) => [address, { ...NEW, ...some }]));

  expect(Object.fromEntries(placeInvited(addresses, facts, { room: 2, newcomers }))).toEqual(expected);
});

test.each([
  [0, 1000],
  [100, 1000],
  [5000, 5000],
  [null, 10_000],
])('a plan with %j subscribers reaches %j new people a day', (limit, most) => {
  expect(newcomersPerDay(limit)).toBe(most);
});
