import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { runMigrations } from '~/db/migrate';
import { refunds, sales } from '~/db/schema/billing';
import { ledgerEntries, ledgerLines } from '~/db/schema/ledger';
import { vatNumberChecks } from '~/db/schema/vat';
import type { TxCtx } from '~/server/ctx';
import { enterFee, enterRefund, enterSale } from '~/server/domain/payouts/ledger';
import { emptyDatabase } from '../support/db';
import { folderUntil } from '../support/older-migrations';

const { url, client, db: pool } = await emptyDatabase();
const MIGRATIONS = 'db/migrations';
/** The last one before the ledger. */
const BEFORE = 43;
const PAID = '2026-03-25T23:30:00.5Z';

/** Purpose, amount, commission, fee, currency, and the refunds with their states. */
const SOLD = [
  ['show', 1500, 80, 47, 'eur', []],
  ['show', 999, 55, null, 'usd', [[333], [333, 'pending'], [100, 'failed'], [333]]],
  ['gift', 4999, 255, 172, 'eur', [[4999]]],
  ['donation', 700, 0, 30, 'eur', [[1, 'canceled']]],
  ['plan', 1900, 0, 54, 'eur', [[950]]],
  ['plan', 2900, 0, 0, 'usd', []],
] as const;

async function sellEverything(): Promise<void> {
  await client`insert into users (email, name, currency, terms_accepted_at) values ('a@mail.example', 'Ana', 'eur', now())`;
  await client`update users set country = 'GR'`;
  await client`insert into billing_details (user_id, tax_number) select id, 'el 094014201' from users`;
  await client`insert into creators (user_id, name, domain, claimed_at) select id, 'Ana', 'ana', now() from users`;
  await client`insert into products (creator_id, kind, name, slug, description, category, language, cover_key, currency, feed_guid)
    select id, 'podcast', 'Uno', 'uno', '', 1, 'es', 'covers/a', 'eur', gen_random_uuid() from creators`;
  for (const [i, [purpose, amount, commission, fee, currency, parts]] of SOLD.entries()) {
    await client`insert into sales (payment_id, purpose, creator_id, product_id, name, amount_minor, currency, plan,
        commission_basis_points, commission_fixed_minor, commission_minor, provider_fee_minor, paid_at, legal_entity, receipt_number, buyer, seller)
      select ${`pi_${i}`}, ${purpose}, creators.id, products.id, 'Uno', ${amount}, ${currency}, 'basic', 500, 5, ${commission}, ${fee},
        ${PAID}, 'A', ${i + 1}, '{}', 'Altavoz' from creators, products`;
    for (const [n, [minor, status = 'succeeded']] of parts.entries())
      await client`insert into refunds (provider_id, sale_id, amount_minor, status, refunded_at)
        select ${`re_${i}_${n}`}, id, ${minor}, ${status}, paid_at + ${`${n * 100 + 1} hours`}::interval from sales where payment_id = ${`pi_${i}`}`;
  }
}

async function books() {
  const rows = await pool
    .select({ entry: ledgerEntries, line: ledgerLines })
    .from(ledgerEntries)
    .innerJoin(ledgerLines, eq(ledgerLines.entryId, ledgerEntries.id))
    .orderBy(asc(ledgerEntries.key), asc(ledgerLines.account));
  return rows.map(({ entry: { id, createdAt, ...entry }, line: { id: _, entryId, ...line } }) => ({
    ...entry,
    ...line,
  }));
}

/** What the product itself writes for the same facts. */
async function enterEverything(db: TxCtx['db']): Promise<void> {
  const tx = { db, now: () => new Date() } as TxCtx;
  for (const sale of await db.select().from(sales).orderBy(asc(sales.id))) {
    const { currency, providerFeeMinor } = sale;
    await enterSale(tx, sale);
    await enterFee(tx, sale, { minor: providerFeeMinor ?? 0, currency });
    const parts = await db.select().from(refunds).where(eq(refunds.saleId, sale.id)).orderBy(asc(refunds.refundedAt));
    for (const { providerId: id, amountMinor: minor, status, refundedAt: at } of parts)
      if (status !== 'failed' && status !== 'canceled')
        await enterRefund(tx, sale, { id, minor, soFarMinor: minor, at });
  }
}

test('what was sold before there was a ledger is in it after an upgrade, as the product would have written it', async () => {
  await runMigrations(url, folderUntil(BEFORE));
  await sellEverything();

  // in one transaction with all that follow
  await runMigrations(url, MIGRATIONS);

  expect(await pool.select().from(vatNumberChecks).orderBy(vatNumberChecks.number)).toMatchObject([
    { number: 'EL094014201', status: 'unknown' },
  ]);
  const upgraded = await books();
  await client.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`delete from ledger_lines`;
    await tx`delete from ledger_entries`;
  });
  await pool.transaction(enterEverything);
  expect(upgraded).toEqual(await books());
  expect(new Set(upgraded.map(({ account }) => account))).toEqual(
    new Set(['provider_balance', 'commission', 'creator_payable', 'plan_revenue', 'provider_fees']),
  );
});
