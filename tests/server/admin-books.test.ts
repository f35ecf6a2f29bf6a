import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { disputes, sales } from '~/db/schema/billing';
import { operatorActions } from '~/db/schema/operators';
import { providerEntries } from '~/db/schema/reconciliation';
import { bookCommands, disputeCommands } from '~/server/admin/book-commands';
import { UsageError } from '~/server/admin/command';
import { parseCommand } from '~/server/admin/run-admin';
import { toDecimal } from '~/server/base/money';
import { HOURS, later } from '~/server/base/time';
import { shop, showItem } from '../support/shop';

const { runtime, ctx, make, lucia, clock, settle, buy, pass } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie de pago', priceMinor: 1500 });
const admin = { ctx, env: {} as never, operator: { name: 'olga' } };
const books = (name: string, args: string[] = [], options: Record<string, string> = {}) =>
  bookCommands[name]!.run(admin, args, options);
const cases = (name: string, args: string[] = [], options: Record<string, string> = {}) =>
  disputeCommands[name]!.run(admin, args, options);

async function sold(card?: string) {
  const { id } = await make.person();
  await buy(showItem(series, { userId: id }), card);
  await settle();
  return (await db.select().from(sales).where(eq(sales.userId, id)))[0]!;
}
const actionsOn = async (target: string) =>
  (await db.select().from(operatorActions).where(eq(operatorActions.target, target)).orderBy(operatorActions.id)).map(
    ({ action }) => action,
  );

test('an operator compares the books, and sees each month by creator and show', async () => {
  const sale = await sold();
  const month = clock.now.toISOString().slice(0, 7);
  await pass(later(clock.now, HOURS(26)));
  expect(await books('compare')).toEqual([{ entries: 2, differences: 0 }]);
  expect(await books('differences')).toEqual([]);

  const net = toDecimal(1500 - sale.providerFeeMinor!);
  expect(await books('month', [month])).toEqual([
    {
      creator: 'lucia',
      show: series.name,
      currency: 'EUR',
      ours: net,
      theirs: net,
      difference: '0.00',
      uncompared: '0.00',
    },
  ]);
  await db
    .update(providerEntries)
    .set({ amountMinor: 1400 })
    .where(eq(providerEntries.key, `sale/${sale.paymentId}`));
  await books('compare');

  expect(await books('differences')).toMatchObject([
    { key: `sale/${sale.paymentId}`, creator: 'lucia', show: series.name, ours: '15.00', theirs: '14.00' },
  ]);
  expect(await books('month', [month])).toMatchObject([{ difference: '1.00' }]);
  expect(await actionsOn('books')).toEqual(['books.compared', 'books.compared']);
  await expect(books('month', ['2026-13'])).rejects.toThrow('expected a month');
});

test('a balance is adjusted with a reason, and the trail says by whom', async () => {
  const typed = parseCommand(['books', 'adjust', 'lucia', 'eur', '-5.00', '--reason', 'Pagado dos veces']);
  if (typed instanceof UsageError) throw typed;
  await typed.command.run(admin, typed.args, typed.options);

  expect(await actionsOn('creator/lucia')).toEqual(['books.adjusted']);
  await expect(books('adjust', ['nobody', 'eur', '5.00'], { reason: 'x' })).rejects.toMatchObject({
    code: 'payout.creator_unknown',
  });
  for (const args of [['lucia', 'gbp', '5.00'], ['lucia', 'eur', '5'], ['lucia', 'eur', '0.00'], []])
    await expect(books('adjust', args, { reason: 'x' })).rejects.toThrow('expected a creator');
  await expect(books('adjust', ['lucia', 'eur', '5.00'])).rejects.toThrow('--reason');
});

test('a dispute is answered once, or given up', async () => {
  const [first, second] = [await sold('4000000000000259'), await sold('4000000000000259')];
  const idOf = async ({ id }: typeof first) =>
    (await db.select().from(disputes).where(eq(disputes.saleId, id)))[0]!.providerId;
  const [answered, accepted] = [await idOf(first), await idOf(second)];
  expect((await cases('list')).map(({ id, creator, amount }) => [id, creator, amount])).toEqual([
    [answered, 'lucia', '15.00'],
    [accepted, 'lucia', '15.00'],
  ]);

  await cases('answer', [answered], { reason: 'winning_evidence' });
  await cases('accept', [accepted]);

  await expect(cases('answer', [answered], { reason: 'once more' })).rejects.toMatchObject({
    code: 'payments.rejected',
  });
  expect(await cases('list')).toEqual([]);
  const stored = await db.select().from(disputes).orderBy(disputes.providerId);
  expect(stored.map(({ status }) => status).sort()).toEqual(['lost', 'won']);
  expect(await actionsOn(`dispute/${accepted}`)).toEqual(['disputes.accepted']);
  await expect(cases('accept', ['du_nothing'])).rejects.toMatchObject({ code: 'dispute.not_found' });
  await expect(cases('accept', ["du_x'; drop table"])).rejects.toThrow('expected one ID');
});
