import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { DAYS, later } from '~/server/base/time';
import { enterAdjustment, writeEntry } from '~/server/domain/payouts/ledger';
import { balancesOf } from '~/server/domain/payouts/queries';
import { statementOf } from '~/server/domain/payouts/statements';
import { type Ctx, type TxCtx, transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { lockWaits } from '../../support/lock-waits';
import { rowsRead } from '../../support/rows-read';

const { runtime, ctxOf, lucia, clock } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const { creatorId } = lucia;
const owner = ctxOf(lucia);

const adjustment = (minor: number) => ({
  ...{ key: randomUUID(), creatorId, currency: 'eur' as const, minor, note: 'test', actor: 'test' },
});

const sale = (minor: number, availableAt: Date, at = clock.now) =>
  transact(ctx, (tx) => enterOwn(tx, minor, { availableAt, at }));

function enterOwn(tx: TxCtx, minor: number, { availableAt, at }: { availableAt: Date; at: Date }) {
  const entry = { kind: 'sale', key: randomUUID(), at, currency: 'eur', creatorId } as const;
  return writeEntry(tx, entry, [
    { account: 'provider_balance', minor },
    { account: 'creator_payable', minor: -(minor - 10), creatorId, availableAt },
    { account: 'creator_payable', minor: -10, creatorId, availableAt },
  ]);
}

async function expectRebuilt() {
  const stored = await db.execute(sql`
    select creator_id, currency, month, kind, available_on, available_at, entries, owed_minor::int as owed_minor
    from payable_sums order by 1, 2, 3, 4, 5`);
  const rebuilt = await db.execute(sql`
    select creator_id, currency, month, kind, available_on, max(available_at) as available_at,
      (count(*) filter (where is_first))::int as entries, sum(owed_minor)::int as owed_minor
    from payable_lines group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`);
  expect([...stored]).toEqual([...rebuilt]);
}

test('sums equal the lines, with two amounts of one entry, other months, and two entries at once', async () => {
  await sale(500, later(clock.now, DAYS(7)));
  await sale(700, later(clock.now, DAYS(7) - 1000));
  await sale(900, clock.now, later(clock.now, -DAYS(40)));
  let second: Promise<unknown> | undefined;
  await transact(ctx, async (tx) => {
    await enterAdjustment(tx, adjustment(-30));
    second = transact(ctx, (other) => enterAdjustment(other, adjustment(50)));
    await lockWaits(db);
  });
  await second;

  await expectRebuilt();
  const [balance] = await balancesOf(ctx, creatorId);
  expect(balance).toMatchObject({ availableMinor: 920, pendingMinor: 1200 });
  expect(balance!.pending).toEqual([{ minor: 1200, availableAt: later(clock.now, DAYS(7)) }]);
  const statement = await statementOf(owner, { page: 1 });
  expect(statement).toMatchObject({ openingMinor: 900, closingMinor: 2120, entries: { total: 4 } });
});

test('what becomes available today counts from its instant on', async () => {
  const [before] = await balancesOf(ctx, creatorId);
  const at = later(clock.now, 60_000);
  await sale(300, at);
  const [pending] = await balancesOf(ctx, creatorId);

  const [available] = await balancesOf({ ...ctx, now: () => at }, creatorId);

  expect(pending!.availableMinor).toBe(before!.availableMinor);
  expect(pending!.pending[0]).toEqual({ minor: 300, availableAt: at });
  expect(available!.availableMinor).toBe(before!.availableMinor + 300);
});

test('balances and pages of a statement do not read 600 more entries', async () => {
  const pages: Record<string, (ctx: Ctx) => Promise<unknown>> = {
    balances: (tx) => balancesOf(tx, creatorId),
    statement: (tx) => statementOf(tx, { page: 1, pageSize: 3 }),
  };
  const addEntries = async (count: number) => {
    await transact(ctx, async (tx) => {
      for (let i = 0; i < count; i += 1)
        await enterOwn(tx, 100, { at: later(clock.now, DAYS(1)), availableAt: later(clock.now, DAYS(7)) });
    });
    await db.execute(sql`vacuum analyze ledger_lines, ledger_entries, payable_sums`);
  };
  const readAll = async () => {
    const read: Record<string, number> = {};
    for (const [name, page] of Object.entries(pages)) read[name] = await rowsRead(owner, page, ['ledger_lines']);
    return read;
  };
  await addEntries(600);
  const before = await readAll();

  await addEntries(600);

  const after = await readAll();
  for (const [name, rows] of Object.entries(before)) expect(after[name], name).toBeLessThan(rows + 60);
});
