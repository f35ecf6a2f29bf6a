import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { checkVat } from '~/server/admin/doctor-vat';
import { vatCommands } from '~/server/admin/vat-commands';
import { DAYS, earlier, later, monthsLater, SECONDS } from '~/server/base/time';
import { quarterAt } from '~/server/domain/vat/rules';
import { vatReturn } from '~/server/domain/vat/vat-return';
import { shop, showItem } from '../support/shop';

const { runtime, ctx, make, lucia, clock, settle, buy, payments, url } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 100_000 });
const BRITISH = '4000008260000000';
const GERMAN = '4000002760000016';
const { operator } = ctx.settings;
const findings = (now = clock.now) => checkVat(url, operator, later(now, 1));
const complaints = async (now?: Date) => (await findings(now)).filter(({ state }) => state !== 'ok');

async function saleTo(country: string, card: string, form = country) {
  const { id: userId } = await make.person({ country });
  await buy(showItem(series, { userId }), card, form);
  await settle();
  const [sale] = await db.select().from(sales).where(eq(sales.userId, userId));
  return sale!;
}

test('without sales there is nothing to say; rules that were read long ago are named', async () => {
  expect(await findings()).toMatchObject([
    { state: 'ok', check: 'vat' },
    { state: 'ok', check: 'rules' },
  ]);

  const late = await complaints(new Date('2028-11-26T00:00:00Z'));

  expect(late).toMatchObject([{ state: 'warning', check: 'rules', message: expect.stringContaining('GB, CH') }]);
});

test('a sale to the United Kingdom asks for a registration, in the doctor and in the return', async () => {
  await saleTo('GB', BRITISH);
  const quarter = quarterAt(clock.now);
  clock.now = later(clock.now, 1);

  expect(await complaints()).toMatchObject([
    { state: 'warning', check: 'vat', message: expect.stringMatching(/^GB: reg/) },
  ]);
  const returned = (of: string) =>
    vatCommands.oss!.run({ ctx, env: {} as never, operator: { name: 'olga' } }, [of], {});
  const notice = { part: 'notice', country: 'GB', note: expect.stringContaining('GBP') };
  expect((await returned(quarter)).at(-1)).toMatchObject(notice);
  expect(await returned(quarterAt(monthsLater(clock.now, -3)))).not.toContainEqual(expect.objectContaining(notice));
  operator.taxRegistrations = ['GB'];
  expect(await complaints()).toEqual([]);
});

test('a sale whose pieces of evidence differ is counted, with the command that lists it', async () => {
  const { id } = await saleTo('FR', BRITISH, 'IT');

  const [found, ...others] = await complaints();
  const nextQuarter = await complaints(monthsLater(clock.now, 3));
  await db.update(sales).set({ vatBasis: 'outside_eu' }).where(eq(sales.id, id));
  const outside = await complaints();

  const command = `vat evidence ${quarterAt(clock.now)}`;
  expect(found).toMatchObject({ state: 'warning', check: 'vat', message: expect.stringContaining(command) });
  expect([others, nextQuarter, outside]).toEqual([[], [found], [found]]);
  await db.update(sales).set({ vatEvidence: [], vatBasis: 'donation' }).where(eq(sales.id, id));
});

test('below the threshold, consumers in the Union pay the VAT of the seller, in its own return, from that time on', async () => {
  const quarter = quarterAt(clock.now);
  const before = await saleTo('DE', GERMAN);
  clock.now = later(clock.now, DAYS(1));
  // the provider's times are whole seconds
  operator.vatAtHome = [{ from: earlier(clock.now, SECONDS(1)), until: null }];

  const during = await saleTo('DE', GERMAN);
  expect([before, during]).toMatchObject([
    { vatBasis: 'charged', vatCountry: 'DE', vatMinor: 15_966 },
    { vatBasis: 'charged_at_home', vatCountry: 'ES', vatBasisPoints: 2100, vatMinor: 17_355 },
  ]);
  const { lines } = await vatReturn(ctx, quarter, {});
  expect(lines).toMatchObject([
    { part: 'oss', country: 'DE', vatMinor: 15_966 },
    { part: 'domestic', country: 'ES', vatMinor: 17_355 },
  ]);
  // a refund stays where the sale was, whatever the setting says later
  operator.vatAtHome = [{ from: during.paidAt, until: later(clock.now, 1) }];
  clock.now = later(clock.now, DAYS(1));
  await payments.refund(during.paymentId, { amount: { minor: 100_000, currency: 'eur' }, reference: {} }, 'home');
  await settle();
  expect((await vatReturn(ctx, quarter, {})).lines).toMatchObject([
    { part: 'oss', country: 'DE', vatMinor: 15_966 },
    { part: 'domestic', country: 'ES', vatMinor: 0 },
  ]);
});

test('near the threshold of the Union, the doctor warns; above it, in this year or the last, it is a problem', async () => {
  operator.vatAtHome = [{ from: clock.now, until: null }];
  for (let sold = 0; sold < 9; sold += 1) await saleTo('DE', GERMAN);
  expect(await complaints()).toMatchObject([{ state: 'warning', message: expect.stringContaining('of 10000 €') }]);
  for (let sold = 0; sold < 4; sold += 1) await saleTo('DE', GERMAN);

  expect(await complaints()).toMatchObject([{ state: 'problem', message: expect.stringContaining('10000 €') }]);
  const nextYear = new Date(Date.UTC(clock.now.getUTCFullYear() + 1, 1, 1));
  expect(await complaints(nextYear)).toMatchObject([
    { state: 'problem', message: expect.stringContaining('last year') },
  ]);

  operator.vatAtHome = [{ from: new Date(0), until: clock.now }];
  expect(await complaints()).toEqual([]);
});

test('a country without a rule is named, and so is a setting that has no effect', async () => {
  const { id } = await saleTo('GB', BRITISH);
  await db.update(sales).set({ vatCountry: 'PE' }).where(eq(sales.id, id));
  const outside = { ...operator, country: 'GB', vatAtHome: [{ from: new Date(0), until: null }] };

  const found = [...(await complaints()), ...(await checkVat(url, outside, later(clock.now, 1)))];

  const [unknown, noEffect] = ['sales to PE', 'OPERATOR_VAT_AT_HOME has no effect'].map((text) =>
    expect.stringContaining(text),
  );
  expect(found).toContainEqual({ state: 'manual', check: 'vat', message: unknown });
  expect(found).toContainEqual({ state: 'problem', check: 'vat', message: noEffect });
});
