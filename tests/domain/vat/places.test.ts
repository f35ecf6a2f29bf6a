import { eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { billingDetails } from '~/db/schema/accounts';
import { sales } from '~/db/schema/billing';
import { findMyReceipt } from '~/server/domain/billing/payers/receipts';
import { checkNumber } from '~/server/domain/vat/check-tax-number';
import { listUnconfirmed } from '~/server/domain/vat/evidence';
import { shop, showItem } from '../../support/shop';

const { runtime, ctx, ctxOf, make, lucia, clock, settle, buy, fetch } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1210 });
const SPANISH_CARD = '4000007240000007';
runtime.ports.vatNumbers = { check: async () => ({ isValid: true, name: 'SARL', requestId: 'W1' }) };

type Details = Partial<typeof billingDetails.$inferInsert>;
async function saleTo(country: string, details: Details | null, { card = SPANISH_CARD, form = 'ES' } = {}) {
  const { id: userId } = await make.person({ country });
  if (details) await db.insert(billingDetails).values({ userId, ...details });
  await buy(showItem(series, { userId }), card, form);
  await settle();
  const [sale] = await db.select().from(sales).where(eq(sales.userId, userId));
  return sale!;
}

test.each([
  ['35001', 'outside_eu', 0],
  ['52006', 'outside_eu', 0],
  ['28013', 'charged', 210],
])('a buyer in Spain with the postal code %s: %s', async (postalCode, vatBasis, vatMinor) => {
  const sale = await saleTo('ES', { postalCode });

  expect(sale).toMatchObject({ vatCountry: 'ES', vatBasis, vatMinor });
  expect(sale.vatEvidence).toContainEqual({ kind: 'declared_country', country: 'ES', postalCode });
});

test('a business is where its VAT number is valid, whatever the country of its card', async () => {
  const taxNumber = '40303265045';
  await checkNumber(ctx, { country: 'FR', taxNumber });

  const sale = await saleTo('FR', { taxNumber });

  expect(sale).toMatchObject({ vatCountry: 'FR', vatBasis: 'reverse_charge', vatMinor: 0 });
  const receipt = await findMyReceipt(ctxOf({ id: sale.userId!, creatorId: null }), { id: sale.id });
  expect(receipt).toMatchObject({ buyerVatNumber: 'FR40303265045' });
});

test('a buyer whose pieces of evidence all differ pays the operator’s VAT and is listed', async () => {
  const sale = await saleTo('FR', null, { card: '4000002760000016', form: 'IT' });

  expect(sale).toMatchObject({ vatCountry: 'ES', vatBasis: 'charged', vatMinor: 210 });
  const quarter = `${clock.now.getUTCFullYear()}-Q${Math.floor(clock.now.getUTCMonth() / 3) + 1}`;
  expect((await listUnconfirmed(ctx, quarter)).map(({ id }) => id)).toContain(sale.id);
});

test('a creator’s address counts before the card that pays for the plan', async () => {
  const owner = await make.creator({ country: 'FR' });
  await db.insert(billingDetails).values({ userId: owner.id, street: 'Rue 1', postalCode: '75001', city: 'Paris' });
  const { dueMinor } = await owner.api.plans.preview({ plan: 'BASIC' });
  const { url } = await owner.api.plans.start({ plan: 'BASIC', dueMinor, payWith: 'page' });
  await payByForms(fetch, url!, { number: SPANISH_CARD, proven: true, country: 'ES' });
  await settle();

  const [sale] = await db.select().from(sales).where(eq(sales.userId, owner.id));

  expect(sale).toMatchObject({ vatCountry: 'FR', vatBasis: 'charged', vatBasisPoints: 2000 });
});
