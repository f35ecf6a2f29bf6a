import { eq, sql } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { affiliateShares } from '~/db/schema/affiliates';
import { disputes } from '~/db/schema/billing';
import { ledgerLines } from '~/db/schema/ledger';
import { DAYS, later } from '~/server/base/time';
import { affiliatePage } from '~/server/domain/affiliates/affiliate-page';
import { catchUpShares } from '~/server/domain/affiliates/catch-up-shares';
import { shareOf } from '~/server/domain/affiliates/rules';
import { settleShare } from '~/server/domain/affiliates/settle-share';
import { syncRefunds } from '~/server/domain/billing/refunds/refunds';
import { balancesOf } from '~/server/domain/payouts/queries';
import { statementOf } from '~/server/domain/payouts/statements';
import { settleAffiliate } from '~/server/queue/jobs/affiliates';
import { affiliateShop } from '../../support/affiliate-shop';
import { runJobs } from '../../support/run-jobs';
import { GOOD_CARD, shop } from '../../support/shop';

const opened = await shop();
const { ctx, ctxOf, payments, clock, settle, pass, fetch, runtime } = opened;
const { db } = runtime;
const { pair, paid, settleAll, salesOf, owedTo, entriesOf, kindsOf } = affiliateShop(opened);
const REFUND_FAILS = '4000000000005126';
const DISPUTED = '4000000000000259';
const eur = (minor: number) => ({ amount: { minor, currency: 'eur' as const }, reference: {} });

test('a plan’s payment brings the affiliate a fifth of what VAT leaves, once, pending for 30 days', async () => {
  const { affiliate, sale } = await paid();
  const due = shareOf(sale);

  await Promise.all([settleShare(ctx, { saleId: sale.id }), settleShare(ctx, { saleId: sale.id })]);

  expect(due).toBeGreaterThan(0);
  expect(await entriesOf(affiliate)).toEqual([
    { kind: 'affiliate_commission', key: `affiliate/${sale.paymentId}`, saleId: null },
  ]);
  const at = later(sale.paidAt, DAYS(30));
  const balanceAt = async (now: Date) => (await balancesOf({ ...ctx, now: () => now }, affiliate.creatorId))[0];
  expect(await balanceAt(later(at, -1))).toMatchObject({ availableMinor: 0, pendingMinor: due });
  expect(await balanceAt(at)).toMatchObject({ availableMinor: due, pendingMinor: 0 });
});

test('two jobs at once for a sale that no job has seen book its share once', async () => {
  const { affiliate, brought } = await pair();
  const { dueMinor } = await brought.api.plans.preview({ plan: 'BASIC' });
  const { url } = await brought.api.plans.start({ plan: 'BASIC', dueMinor, payWith: 'page' });
  await payByForms(fetch, url!, { number: GOOD_CARD, proven: true });
  await settle();
  const [sale] = await salesOf(brought);

  await Promise.all([1, 2, 3].map(() => settleShare(ctx, { saleId: sale!.id })));

  expect(await kindsOf(affiliate)).toEqual(['affiliate_commission']);
  expect(await owedTo(affiliate)).toBe(shareOf(sale!));
});

test('a job that is killed before its commit leaves nothing, and the next attempt books everything', async () => {
  const { affiliate, brought } = await pair();
  const { dueMinor } = await brought.api.plans.preview({ plan: 'BASIC' });
  const { url } = await brought.api.plans.start({ plan: 'BASIC', dueMinor, payWith: 'page' });
  await payByForms(fetch, url!, { number: GOOD_CARD, proven: true });
  await settle();
  const [sale] = await salesOf(brought);
  const key = `affiliate/${sale!.paymentId}`;
  await db.execute(
    sql.raw(`create function refuse_share() returns trigger language plpgsql as $$ begin
    if new.account = 'affiliate_costs' then raise 'killed'; end if; return new; end $$`),
  );
  await db.execute(
    sql`create trigger refuse_share before insert on ledger_lines for each row execute function refuse_share()`,
  );
  await expect(settleShare(ctx, { saleId: sale!.id })).rejects.toThrow();
  await db.execute(sql`drop trigger refuse_share on ledger_lines`);

  expect([await kindsOf(affiliate), await db.$count(affiliateShares, eq(affiliateShares.saleId, sale!.id))]).toEqual([
    [],
    0,
  ]);
  await settleShare(ctx, { saleId: sale!.id });

  expect((await entriesOf(affiliate)).map((entry) => entry.key)).toEqual([key]);
});

test('a share whose job was lost is booked at night', async () => {
  const { affiliate, brought } = await pair();
  const { dueMinor } = await brought.api.plans.preview({ plan: 'BASIC' });
  const { url } = await brought.api.plans.start({ plan: 'BASIC', dueMinor, payWith: 'page' });
  await payByForms(fetch, url!, { number: GOOD_CARD, proven: true });
  await settle();
  await runJobs(runtime, settleAffiliate.name, async () => {});
  const before = await kindsOf(affiliate);

  await catchUpShares(ctx, {});
  await settleAll();

  expect([before, await kindsOf(affiliate)]).toEqual([[], ['affiliate_commission']]);
});

test('refunds take their part of the share back, each once, and end at nothing', async () => {
  const { affiliate, sale } = await paid();
  const due = shareOf(sale);

  for (const [at, minor] of [333, 334, sale.amountMinor - 667].entries()) {
    await payments.refund(sale.paymentId, eur(minor), `part/${at}`);
    await Promise.all([syncRefunds(ctx, sale.paymentId), syncRefunds(ctx, sale.paymentId)]);
    await settleAll();
    await settleShare(ctx, { saleId: sale.id });
    expect(await owedTo(affiliate)).toBeLessThan(due);
    expect(await owedTo(affiliate)).toBeGreaterThanOrEqual(0);
  }

  expect(await owedTo(affiliate)).toBe(0);
  expect(await kindsOf(affiliate)).toEqual(['affiliate_commission', ...Array(3).fill('affiliate_return')]);
  const [row] = await db.select().from(affiliateShares).where(eq(affiliateShares.saleId, sale.id));
  expect(row).toMatchObject({ amountMinor: due, returnedMinor: due });
});

test('a refund that fails gives the part back', async () => {
  const { affiliate, sale } = await paid(REFUND_FAILS);
  await payments.refund(sale.paymentId, eur(1000), 'fails');
  await settleAll();
  const between = await owedTo(affiliate);

  await pass(later(clock.now, DAYS(3)));
  await settleAll();

  expect(between).toBeLessThan(shareOf(sale));
  expect(await owedTo(affiliate)).toBe(shareOf(sale));
  expect(await kindsOf(affiliate)).toEqual(['affiliate_commission', 'affiliate_return', 'affiliate_return']);
});

test.each([
  ['winning_evidence', 1],
  ['losing_evidence', 0],
] as const)('a dispute takes the share, and with %s', async (text, kept) => {
  const { affiliate, sale } = await paid(DISPUTED);
  const between = await owedTo(affiliate);
  const [dispute] = await db.select().from(disputes).where(eq(disputes.saleId, sale.id));

  await payments.answerDispute(dispute!.providerId, text, `answer/${sale.id}`);
  await settleAll();

  expect([between, await owedTo(affiliate)]).toEqual([0, kept * shareOf(sale)]);
});

test('a change of plan brings a share of what the card has paid, not of the credit', async () => {
  const { affiliate, brought } = await paid(GOOD_CARD, 'PRO');
  await pass(later(clock.now, DAYS(3)));
  const { dueMinor, creditMinor, at } = await brought.api.plans.preview({ plan: 'PLUS' });
  await brought.api.plans.change({ plan: 'PLUS', dueMinor, creditMinor, at });
  await settleAll();

  const all = await salesOf(brought);

  expect(all.map(({ amountMinor }) => amountMinor)).toEqual([1900, dueMinor]);
  expect(dueMinor).toBeLessThan(4900);
  expect(await owedTo(affiliate)).toBe(all.reduce((sum, each) => sum + shareOf(each), 0));
});

test('the page of the affiliate and the statement name nobody, and their money is that of the books', async () => {
  const { affiliate, sale, link } = await paid();
  const due = shareOf(sale);
  const page = await affiliatePage(ctxOf(affiliate, { now: clock.now }));
  const month = sale.paidAt.toISOString().slice(0, 7);
  const statement = await statementOf(ctxOf(affiliate, { now: clock.now }), { page: 1, month });

  expect(page).toMatchObject({
    links: [{ code: link.code, signUps: 1, plans: 1, money: [{ currency: 'eur', pendingMinor: due, bookedMinor: 0 }] }],
    total: { signUps: 1, plans: 1, money: [{ pendingMinor: due, bookedMinor: 0 }] },
    refused: 0,
  });
  expect(statement.byKind).toEqual([{ kind: 'affiliate_commission', minor: due }]);
  expect(statement.entries.items).toMatchObject([{ note: link.code, sale: null, product: null, shareMinor: due }]);
});

test('all shares are in the books as costs: what affiliates are owed is what the shares say', async () => {
  const ofAccount = eq(ledgerLines.account, 'affiliate_costs');
  const total = sql<number>`coalesce(sum(${ledgerLines.amountMinor}), 0)`.mapWith(Number);
  const left = sql<number>`sum(${affiliateShares.amountMinor} - ${affiliateShares.returnedMinor})`.mapWith(Number);

  const [costs] = await db.select({ total }).from(ledgerLines).where(ofAccount);
  const [shares] = await db.select({ left }).from(affiliateShares);

  expect(costs!.total).toBeGreaterThan(0);
  expect(costs!.total).toBe(shares!.left);
});
