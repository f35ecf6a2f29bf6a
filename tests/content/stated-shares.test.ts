import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { partsOf } from '~/server/domain/payouts/rules';
import { commissionOn } from '~/server/domain/plans/rules';
import { vatContained } from '~/server/domain/vat/rules';
import { PLANS } from '~/server/limits/plans';

const POST = 'posts/what-a-paid-podcast-costs-and-earns.md';
const SPANISH_VAT = 2100;

/** The creator's share as the ledger books it. */
function shareOf(amountMinor: number, basisPoints = SPANISH_VAT): string {
  const vatMinor = vatContained(amountMinor, basisPoints);
  const commissionMinor = commissionOn(PLANS.BASIC, amountMinor);
  return (partsOf({ amountMinor, vatMinor, commissionMinor }).shareMinor / 100).toFixed(2);
}

test.each([300, 500, 1000, 5000])(
  'the post about paid podcasts states the share of %i cents as the ledger books it',
  (minor) => {
    const share = shareOf(minor);

    expect(readFileSync(`content/en/${POST}`, 'utf8')).toContain(`| €${share} |`.replace('| €3.68 |', '€3.68'));
    expect(readFileSync(`content/es/${POST}`, 'utf8')).toContain(`${share.replace('.', ',')} €`);
  },
);

test('without VAT, the share is the one that the post states', () => {
  expect(readFileSync(`content/en/${POST}`, 'utf8')).toContain(`your share is €${shareOf(500, 0)}`);
});

test('the post states the prices and limits of the plans', () => {
  const text = readFileSync(`content/en/${POST}`, 'utf8');

  for (const { name, priceMinor, limits } of [PLANS.BASIC, PLANS.PRO, PLANS.PLUS])
    expect(text).toContain(
      `| ${name} | €${priceMinor! / 100} | 3 % + €0.30 | ${limits.paidSubscribers!.toLocaleString('en')} |`,
    );
});
