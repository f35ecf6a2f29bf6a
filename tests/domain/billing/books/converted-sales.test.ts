import { eq, isNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { providerEntries, reconciliationDifferences } from '~/db/schema/reconciliation';
import { DAYS, later } from '~/server/base/time';
import { reconcileBooks } from '~/server/domain/billing/books/reconcile-books';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, make, lucia, payments, stripe, sandbox, clock, settle, buy, pass } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1499 });
const DISPUTED = '4000000000000259';
sandbox.setConversions({ usd: { to: 'eur', rate: 0.9137 } });

async function sold(card?: string): Promise<string> {
  const { id } = await make.person();
  await buy(showItem(series, { userId: id }, { currency: 'usd' }), card);
  await settle();
  return (await db.select().from(sales).where(eq(sales.userId, id)))[0]!.paymentId;
}

test('sales, refunds and disputes that the provider converts are the same in both books', async () => {
  const refunded = await sold();
  await payments.refund(refunded, { amount: { minor: 400, currency: 'usd' }, reference: {} }, 'refund');
  for (const text of ['winning_evidence', 'losing_evidence']) {
    const { data } = await stripe.disputes.list({ payment_intent: await sold(DISPUTED) });
    await payments.answerDispute(data[0]!.id, text, text);
  }
  await pass(later(clock.now, DAYS(10)));

  expect(await reconcileBooks(ctx)).toMatchObject({ differences: 0 });
  const rows = await db
    .select({ currency: ledgerLines.currency, minor: ledgerLines.amountMinor })
    .from(ledgerLines)
    .where(eq(ledgerLines.account, 'provider_balance'))
    .orderBy(ledgerLines.id);
  const sumOf = (currency: string) => rows.reduce((sum, row) => sum + (row.currency === currency ? row.minor : 0), 0);
  const { available, pending } = await payments.balance();
  const held = [...available, ...pending].filter(({ currency }) => currency === 'eur');
  expect(sumOf('usd')).toBe(0);
  expect(sumOf('eur')).toBe(held.reduce((sum, { minor }) => sum + minor, 0));
  expect(await db.$count(ledgerEntries, eq(ledgerEntries.kind, 'conversion'))).toBeGreaterThan(8);
});

test('an amount that does not fit its rate is a difference', async () => {
  const payment = await sold();
  const charge = String((await stripe.paymentIntents.retrieve(payment)).latest_charge);
  await db.execute(
    `update sandbox_stripe.objects set data = jsonb_set(data::jsonb, '{amount}', '1300')::json
     where kind = 'balance_transaction' and data->>'source' = '${charge}'`,
  );
  await pass(later(clock.now, DAYS(2)));

  await reconcileBooks(ctx);

  const open = await db
    .select({ key: reconciliationDifferences.key, currency: reconciliationDifferences.currency })
    .from(reconciliationDifferences)
    .where(isNull(reconciliationDifferences.resolvedAt))
    .orderBy(reconciliationDifferences.currency);
  expect(open).toEqual([
    { key: `sale/${payment}`, currency: 'eur' },
    { key: `sale/${payment}`, currency: 'usd' },
  ]);
  expect(await db.$count(providerEntries, eq(providerEntries.key, `sale/${payment}`))).toBe(1);
});
