import { expect, test } from 'vitest';
import { selfBillingParts } from '~/server/domain/payouts/self-billing';

const SPAIN = { country: 'ES', vatNumber: 'ESB12345674' };
const at = new Date('2026-11-23T12:00:00Z');

test.each([
  ['a business in the same country', 'ES', 'B58378431', SPAIN, ['charged', 2100, 100_00, 21_00]],
  ['a business in another country of the Union', 'DE', '136695976', SPAIN, ['reverse_charge', 0, 121_00, 0]],
  ['a creator outside of it', 'US', '911144442', SPAIN, ['outside_eu', 0, 121_00, 0]],
  ['a creator without a number, outside of it', 'AR', null, SPAIN, ['outside_eu', 0, 121_00, 0]],
  ['a creator without a number', 'ES', null, SPAIN, ['not_registered', 0, 121_00, 0]],
  ['a creator without a country', null, 'X1', SPAIN, ['not_registered', 0, 121_00, 0]],
  [
    'an operator without a number',
    'ES',
    'B58378431',
    { country: 'ES', vatNumber: null },
    ['not_registered', 0, 121_00, 0],
  ],
] as const)('the invoice of %s', (_, country, taxNumber, operator, [basis, basisPoints, netMinor, vatMinor]) => {
  const parts = selfBillingParts(121_00, { country, taxNumber, operator, at });

  expect(parts).toEqual({ basis, basisPoints, netMinor, vatMinor });
});
