import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { billingDetails } from '~/db/schema/accounts';
import { sales } from '~/db/schema/billing';
import { vatNumberChecks } from '~/db/schema/vat';
import type { RegisterAnswer } from '~/server/adapters/vat-numbers/port';
import { AskerRejected, RegisterUnavailable } from '~/server/base/errors';
import { DAYS, HOURS, later } from '~/server/base/time';
import { updateBillingDetails } from '~/server/domain/accounts/settings/billing-details';
import { findMyReceipt } from '~/server/domain/billing/payers/receipts';
import { enterRefund } from '~/server/domain/payouts/ledger';
import { checkNumber, isBusiness, recheckNumbers } from '~/server/domain/vat/check-tax-number';
import { listUnconfirmed } from '~/server/domain/vat/evidence';
import { reverseCharges, reverseChargesCsv } from '~/server/domain/vat/reverse-charges';
import { requireComplete, returnCsv, vatReturn } from '~/server/domain/vat/vat-return';
import { VAT_LIMITS } from '~/server/limits/vat';
import { checkVatNumber, recheckVatNumbers } from '~/server/queue/jobs/vat';
import { transact } from '~/server/runtime/ctx';
import { runJobs } from '../../support/run-jobs';
import { shop, showItem } from '../../support/shop';

const { runtime, ctx, ctxOf, make, lucia, paidPodcast, payments, clock, settle, buy } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1210 });
const usdSeries = await make.product(lucia, { kind: 'audio_series', name: 'Dollars', priceMinor: 2000 });
const SPANISH_CARD = '4000007240000007';
const FRENCH = 'FR40303265045';
let register: () => Promise<RegisterAnswer> = async () => ({ isValid: true, name: 'SARL', requestId: 'W1' });
runtime.ports.vatNumbers = { check: () => register() };

/** A buyer who has stated a country, and perhaps a tax number of a company. */
async function buyer(country: string, taxNumber?: string) {
  const person = await make.person({ country });
  if (taxNumber) await db.insert(billingDetails).values({ userId: person.id, taxNumber });
  return person;
}
async function saleTo(person: { id: number }, show = series, terms = {}) {
  await buy(showItem(show, { userId: person.id }, terms), SPANISH_CARD, 'ES');
  await settle();
  const [sale] = await db.select().from(sales).where(eq(sales.userId, person.id));
  return sale!;
}
const quarter = () => `${clock.now.getUTCFullYear()}-Q${Math.floor(clock.now.getUTCMonth() / 3) + 1}`;

test('a sale keeps the VAT that its price contains, and the evidence for the country', async () => {
  const sale = await saleTo(await buyer('ES'));

  expect(sale.vatEvidence.length).toBeGreaterThanOrEqual(2);
  expect(sale).toMatchObject({ vatBasis: 'charged', vatBasisPoints: 2100, vatMinor: 210, vatCountry: 'ES' });
  expect(sale.commissionMinor).toBe(66);
});

test('a receipt names the seller at that time, and the VAT of the remaining amount', async () => {
  const person = await buyer('ES');
  const sale = await saleTo(person);
  const { operator } = ctx.settings;
  const present = { ...operator };
  Object.assign(operator, { name: 'Other', address: 'Elsewhere', vatNumber: 'ESA58818501' });
  await refund(sale, 605, 'receipt');

  const receipt = await findMyReceipt(ctxOf({ ...person, creatorId: null }), { id: sale.id });
  Object.assign(operator, present);

  const { name, address, vatNumber } = present;
  expect(receipt.seller).toMatchObject({ name, address, vatNumber });
  expect(receipt.vat).toMatchObject({ minor: 210, leftMinor: 105 });
  // a sale from before we stored the seller's details
  await db.update(sales).set({ sellerDetails: null }).where(eq(sales.id, sale.id));
  const old = await findMyReceipt(ctxOf({ ...person, creatorId: null }), { id: sale.id });
  expect(old.seller).toMatchObject({ name, address, vatNumber });
});

test('a company abroad pays no VAT; one that the register does not know does', async () => {
  const company = await buyer('ES', 'B12345674');
  await checkNumber(ctx, { country: 'ES', taxNumber: 'B12345674' });
  // in the seller's own country, VAT is charged anyway
  expect(await saleTo(company)).toMatchObject({ vatBasis: 'charged', vatMinor: 210 });

  ctx.settings.operator.country = 'FR';
  expect(await saleTo(await buyer('ES', 'B12345674'))).toMatchObject({ vatBasis: 'reverse_charge', vatMinor: 0 });
  register = async () => ({ isValid: false, name: null, requestId: null });
  await checkNumber(ctx, { country: 'ES', taxNumber: 'B12345674' });
  expect(await saleTo(await buyer('ES', 'B12345674'))).toMatchObject({ vatBasis: 'charged', vatMinor: 210 });
  ctx.settings.operator.country = 'ES';
});

test('while the register does not answer, the form counts, and it is asked again', async () => {
  const [row] = await checked(async () => {
    throw new RegisterUnavailable('down');
  });
  expect(row).toMatchObject({ status: 'unknown', checkedAt: null });

  register = async () => ({ isValid: true, name: 'SARL', requestId: 'W2' });
  clock.now = later(clock.now, HOURS(4));
  await recheckNumbers(ctx);
  expect(await runChecks()).toBe(1);

  expect(await stored()).toMatchObject([{ status: 'valid', name: 'SARL', requestId: 'W2' }]);
  // a later outage does not invalidate the number
  expect(await checked(async () => Promise.reject(new RegisterUnavailable('down')))).toMatchObject([
    { status: 'valid' },
  ]);
  expect(recheckVatNumbers.name).toBe('vat.recheck-numbers');
});
const stored = () =>
  db.select().from(vatNumberChecks).where(eq(vatNumberChecks.number, FRENCH)).orderBy(vatNumberChecks.number);
const runChecks = () => runJobs(runtime, checkVatNumber.name, (payload, of) => checkNumber(of, payload));
async function checked(answer: typeof register) {
  register = answer;
  await checkNumber(ctx, { country: 'FR', taxNumber: FRENCH.slice(2) });
  return stored();
}

test.each([
  ['DE', '36574261809', 'an identification number for income tax'],
  ['FR', '12345678901', 'a number with wrong check digits'],
])('while the register does not answer, %s %s counts for nothing: %s', async (country, taxNumber) => {
  register = () => Promise.reject(new RegisterUnavailable('down'));

  await checkNumber(ctx, { country, taxNumber });

  expect(await isBusiness(ctx, country, taxNumber)).toBe(false);
});

test('a register that does not accept our own number is asked without it', async () => {
  const askers: unknown[] = [];
  runtime.ports.vatNumbers = {
    async check(_, asker) {
      askers.push(asker);
      if (asker) throw new AskerRejected('INVALID_REQUESTER_INFO');
      return { isValid: true, name: null, requestId: null };
    },
  };

  await checkNumber(ctx, { country: 'FR', taxNumber: FRENCH.slice(2) });
  runtime.ports.vatNumbers = { check: () => register() };

  expect(askers).toEqual([expect.objectContaining({ country: 'ES' }), null]);
  expect(await stored()).toMatchObject([{ status: 'valid', requestId: null }]);
});

test('a number that a buyer gives is checked', async () => {
  register = async () => ({ isValid: true, name: null, requestId: null });
  const person = await make.person({ country: 'ES' });
  const lines = { billingName: '', street: '', postalCode: '', city: '' };

  await updateBillingDetails(ctxOf({ ...person, creatorId: null }), { taxNumber: 'A58818501', ...lines });
  await runChecks();

  const [row] = await db.select().from(vatNumberChecks).where(eq(vatNumberChecks.number, 'ESA58818501'));
  expect(row).toMatchObject({ status: 'valid' });
});

test('the return of a quarter: by country and rate, less what went back; of earlier quarters as corrections', async () => {
  const first = quarter();
  const rates = { [`usd@${first}`]: 1.25 };
  const { lines: before } = await vatReturn(ctx, first, rates);
  const sale = await saleTo(await buyer('ES'));
  const dollars = await saleTo(await buyer('ES'), usdSeries, { currency: 'usd' });
  await refund(sale, 605, 'half');
  // the rate of another quarter is not used
  const missing = { code: 'vat.rate_missing', params: { currency: 'USD', quarter: first } };
  await expect(vatReturn(ctx, first, { 'usd@2020-Q1': 1 })).rejects.toMatchObject(missing);

  const { lines } = await vatReturn(ctx, first, rates);

  const of = (list: typeof lines, currency: string) => list.find((line) => line.currency === currency);
  expect(of(lines, 'eur')!.vatMinor - of(before, 'eur')!.vatMinor).toBe(105);
  expect(of(lines, 'eur')!.taxableMinor - of(before, 'eur')!.taxableMinor).toBe(500);
  expect(of(lines, 'usd')).toMatchObject({
    part: 'domestic',
    ...{ country: 'ES', basisPoints: 2100, taxableMinor: 2000 - dollars.vatMinor, vatMinor: dollars.vatMinor },
    vatEurMinor: Math.round(dollars.vatMinor / 1.25),
  });
  ctx.settings.operator.country = 'FR';
  expect((await vatReturn(ctx, first, rates)).lines.map(({ part }) => part)).toEqual(lines.map(() => 'oss'));

  clock.now = later(clock.now, DAYS(100));
  await refund(sale, 121, 'rest');
  await refund(dollars, 1000, 'dollars');
  // at the rate of the quarter of the sale
  const corrections = await vatReturn(ctx, quarter(), { ...rates, [`usd@${quarter()}`]: 2 });

  const correction = { part: 'correction', quarter: first, country: 'ES', basisPoints: 2100 } as const;
  const inDollars = { taxableMinor: -826, vatMinor: -174, taxableEurMinor: -661, vatEurMinor: -139 };
  expect(corrections).toEqual({
    lines: [
      {
        ...{ ...correction, currency: 'eur' },
        ...{ taxableMinor: -100, vatMinor: -21, taxableEurMinor: -100, vatEurMinor: -21 },
      },
      { ...correction, currency: 'usd', ...inDollars },
    ],
    tooOld: [],
  });
  expect(returnCsv(corrections.lines.slice(0, 1), [])).toBe(
    `part,quarter,country,rate_percent,currency,taxable,vat,taxable_eur,vat_eur,note\r\ncorrection,${first},ES,21,EUR,-1,-0.21,-1,-0.21,\r\n`,
  );

  const late = { id: 'late', minor: 121, soFarMinor: 847, at: later(sale.paidAt, DAYS(4 * 365)) };
  await transact(ctx, (tx) => enterRefund(tx, sale, late));
  const afterYears = await vatReturn(ctx, `${late.at.getUTCFullYear()}${first.slice(4)}`, {});
  expect(afterYears).toMatchObject({ lines: [], tooOld: [{ quarter: first, vatMinor: -21 }] });
  ctx.settings.operator.country = 'ES';
  expect(paidPodcast.id).not.toBe(series.id);
});
async function refund(
  { paymentId, currency }: { paymentId: string; currency: 'eur' | 'usd' },
  minor: number,
  key: string,
) {
  await payments.refund(paymentId, { amount: { minor, currency }, reference: {} }, key);
  await settle();
}

test.each(['2026-Q5', 'Q3', '', '2026-Q3; drop'])('no return of the quarter %j', async (text) => {
  const unknown = { code: 'vat.quarter_unknown' };
  await expect(vatReturn(ctx, text, {})).rejects.toMatchObject(unknown);
  await expect(reverseCharges(ctx, text, {})).rejects.toMatchObject(unknown);
  await expect(listUnconfirmed(ctx, text)).rejects.toMatchObject(unknown);
});

test('a list that is not complete is no list', () => {
  expect(() => requireComplete(Array.from({ length: VAT_LIMITS.returnRows }))).not.toThrow();
  expect(() => requireComplete(Array.from({ length: VAT_LIMITS.returnRows + 1 }))).toThrow('vat.too_many_rows');
});

test('the purchases of companies abroad without VAT, by VAT number', async () => {
  clock.now = later(clock.now, DAYS(100));
  ctx.settings.operator.country = 'FR';
  register = async () => ({ isValid: true, name: 'SL', requestId: null });
  for (const taxNumber of ['A58818501', 'esB12345674', 'B-12345674'])
    await checkNumber(ctx, { country: 'ES', taxNumber });
  await saleTo(await buyer('ES', 'A58818501'));
  const sale = await saleTo(await buyer('ES', 'B12345674'));
  await saleTo(await buyer('ES', 'B12345674'), usdSeries, { currency: 'usd' });
  await refund(sale, 210, 'company');
  await saleTo(await buyer('ES'));

  const lines = await reverseCharges(ctx, quarter(), { [`usd@${quarter()}`]: 1.25 });
  ctx.settings.operator.country = 'ES';

  const row = { part: 'sales', quarter: quarter() };
  expect(lines).toMatchObject([
    { ...row, vatNumber: 'ESA58818501', currency: 'eur', taxableMinor: 1210 },
    { ...row, vatNumber: 'ESB12345674', currency: 'eur', taxableMinor: 1000 },
    { ...row, vatNumber: 'ESB12345674', currency: 'usd', taxableMinor: 2000, taxableEurMinor: 1600 },
  ]);
  expect(reverseChargesCsv(lines).split('\r\n')).toHaveLength(5);
});

test('sales whose country fewer than two pieces of evidence show are listed', async () => {
  const sure = await saleTo(await buyer('ES'));
  // a French profile, and a Spanish card whose form says Germany
  const person = await buyer('FR');
  await buy(showItem(series, { userId: person.id }), SPANISH_CARD, 'DE');
  await settle();

  const found = (await listUnconfirmed(ctx, quarter())).map(({ userId }) => userId);

  expect(found).toContain(person.id);
  expect(found).not.toContain(sure.userId);
});

test('a number is checked again after 90 days, and an outage then does not invalidate it', async () => {
  await checked(async () => ({ isValid: true, name: 'SARL', requestId: 'W3' }));
  await db.update(vatNumberChecks).set({ checkedAt: clock.now, updatedAt: clock.now });
  clock.now = later(clock.now, DAYS(90));
  await recheckNumbers(ctx);
  expect(await runChecks()).toBe(0);

  clock.now = later(clock.now, 1);
  register = async () => Promise.reject(new RegisterUnavailable('down'));
  await recheckNumbers(ctx);
  const all = await runChecks();
  expect(all).toBe(await db.$count(vatNumberChecks));
  expect(await stored()).toMatchObject([{ status: 'valid', requestId: 'W3' }]);
  // checked numbers wait, so that others have their turn
  await recheckNumbers(ctx);
  expect(await runChecks()).toBe(0);

  register = async () => ({ isValid: false, name: null, requestId: null });
  clock.now = later(clock.now, HOURS(4));
  await recheckNumbers(ctx);
  expect(await runChecks()).toBe(all);
  expect(await stored()).toMatchObject([{ status: 'invalid', checkedAt: clock.now }]);
  await db.delete(vatNumberChecks);
});
