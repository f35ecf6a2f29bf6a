import { expect, test } from 'vitest';
import type { SellerStatus } from '~/db/schema/seller-accounts';
import { sellerStatus, sellsThere } from '~/server/domain/payouts/seller-status';

type Row = [before: SellerStatus, chargesEnabled: boolean, after: SellerStatus];
const CHANGES: Row[] = [
  ['connecting', false, 'connecting'],
  ['connecting', true, 'active'],
  ['active', true, 'active'],
  ['active', false, 'restricted'],
  ['restricted', false, 'restricted'],
  ['restricted', true, 'active'],
  ['disconnected', true, 'disconnected'],
  ['disconnected', false, 'disconnected'],
];

test.each(CHANGES)('an account that was %s becomes, with payments %s, %s', (before, chargesEnabled, after) => {
  expect(sellerStatus({ chargesEnabled }, before)).toBe(after);
});

test('new sales go only to an account that takes payments', () => {
  const statuses: SellerStatus[] = ['connecting', 'active', 'restricted', 'disconnected'];

  expect(statuses.filter(sellsThere)).toEqual(['active']);
});
