import fs from 'node:fs/promises';
import path from 'node:path';
import { desc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { operatorActions } from '~/db/schema/operators';
import { payoutPapers, payouts } from '~/db/schema/payouts';
import { operatorCommands } from '~/server/admin/operator-commands';
import { payoutCommands } from '~/server/admin/payout-commands';
import { vatCommands } from '~/server/admin/vat-commands';
import { enterAdjustment } from '~/server/domain/payouts/ledger';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { PASSWORD } from '../support/make';
import '../support/matchers';

const { runtime, make, lucia, ada } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'operator');
const IBAN = 'ES9121000418450200051332';
const admin = { ctx, env: {} as never, operator: { name: 'olga' } };
const run = (name: string, args: string[] = [], options: Record<string, string> = {}) =>
  payoutCommands[name]!.run(admin, args, options);
const folder = await fs.mkdtemp(path.join((await import('node:os')).tmpdir(), 'sepa-'));

let given = 0;
async function requested(person: Pick<typeof lucia, 'creatorId' | 'api'>, minor: number) {
  given += 1;
  const key = `given/${given}`;
  const { creatorId } = person;
  await transact(ctx, (tx) => enterAdjustment(tx, { key, creatorId, currency: 'eur', minor, note: 'T', actor: 'T' }));
  await person.api.accounts.updatePayoutAddress({ iban: IBAN, currentPassword: PASSWORD });
  return (await person.api.payouts.request({ currentPassword: PASSWORD, currency: 'eur' })).id;
}

test('several payouts go from the request to the bank in one file, and are marked as paid by its name', async () => {
  const ids = [await requested(lucia, 60_00), await requested(ada, 70_50)];
  expect(await run('list')).toMatchObject([{ id: ids[0], creator: 'lucia', amount: '60.00' }, { id: ids[1] }]);
  await run('approve', ids);
  const out = path.join(folder, 'a.xml');

  const [first, again] = [await run('sepa', [], { out }), await run('sepa', [], { out: `${out}2`, file: 'other' })];

  expect(first).toMatchObject([
    { id: ids[0], amount: '60.00', status: 'approved' },
    { id: ids[1], amount: '70.50' },
  ]);
  expect(again).toEqual([]);
  const file = await fs.readFile(out, 'utf8');
  expect(file).toContain('<CtrlSum>130.50</CtrlSum>');
  expect(file).toMatch(
    /<Dbtr><Nm>[^<]+<\/Nm><PstlAdr><StrtNm>Calle Mayor 1<\/StrtNm>.*<Ctry>ES<\/Ctry><\/PstlAdr><\/Dbtr>/,
  );
  expect((await fs.stat(out)).mode & 0o777).toBe(0o600);
  const name = String(first[0]!.file);
  await expect(run('sepa', [], { out, file: name })).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await run('paid', [], { file: name })).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
  await expect(run('sepa', [], { out: `${out}3`, file: name })).toFailWith('payout.transfer_file_used');
  const trail = await db
    .select()
    .from(operatorActions)
    .where(eq(operatorActions.operator, 'olga'))
    .orderBy(operatorActions.id);
  expect(trail.map(({ action }) => action).sort()).toEqual(
    ['approved', 'approved', 'paid', 'paid', 'sepa'].map((action) => `payouts.${action}`),
  );
  expect((await run('show', [ids[0]!])).map(({ what }) => what)).toEqual(
    expect.arrayContaining(['holder', 'invoice', 'payouts.approved', 'payouts.paid']),
  );
});

test('on a day on which banks are closed, the transfers ask for the next day on which they are open', async () => {
  const id = await requested(await make.creator({ name: 'Navidad', country: 'ES' }), 60_00);
  await run('approve', [id]);
  const out = path.join(folder, 'christmas.xml');

  await run('sepa', [], { out, day: '2030-12-25', file: 'christmas' });

  expect(await fs.readFile(out, 'utf8')).toContain('<ReqdExctnDt><Dt>2030-12-27</Dt></ReqdExctnDt>');
});

test('the operators’ actions are listed, all of them or those on one object', async () => {
  const log = (...args: string[]) => operatorCommands.log!.run(admin, args, {});
  const all = await log();
  const [newest] = await db.select().from(operatorActions).orderBy(desc(operatorActions.id)).limit(1);

  expect(all[0]).toMatchObject({ action: newest!.action, target: newest!.target, operator: newest!.operator });
  const about = await log(newest!.target);
  expect(about.length).toBeGreaterThan(0);
  expect(new Set(about.map(({ target }) => target))).toEqual(new Set([newest!.target]));
  await expect(log('a', 'b')).rejects.toThrow('expected one target');
});

test('a payout that came back has a credit note; the numbers of a creator have no gap', async () => {
  const creator = await make.creator({ name: 'Nueva', country: 'ES' });
  const id = await requested(creator, 60_00);
  await run('approve', [id]);
  await run('paid', [id]);
  await run('reverse', [id], { reason: 'Account closed' });
  const next = await requested(creator, 1);
  await run('approve', [next]);
  await run('paid', [next]);

  const rows = await db
    .select()
    .from(payoutPapers)
    .where(eq(payoutPapers.creatorId, creator.creatorId))
    .orderBy(payoutPapers.id);
  expect(rows.map(({ number, kind }) => [number, kind])).toEqual([
    [1, 'invoice'],
    [2, 'credit_note'],
    [3, 'invoice'],
  ]);
  const note = await creator.api.payouts.paper({ id, kind: 'credit_note' });
  const series = creator.creatorId;
  expect(note).toMatchObject({ number: `${series}-0002`, cancels: `${series}-0001`, netMinor: 60_00 });
  expect(note.buyer).toMatchObject({ name: ctx.settings.operator.name, country: 'ES' });
  await expect(lucia.api.payouts.paper({ id, kind: 'invoice' })).toFailWith('payout.not_found');
  const [own] = await db.select().from(payouts).where(eq(payouts.publicId, next));
  await expect(creator.api.payouts.paper({ id: own!.publicId, kind: 'credit_note' })).toFailWith(
    'payout.paper_not_found',
  );
  await expect(db.update(payoutPapers).set({ number: 9 })).rejects.toMatchObject({ cause: { code: '23001' } });
});

test('a statement has each entry of its month and currency, and no other; its sums are the balance', async () => {
  const creator = await make.creator({ name: 'Extracto' });
  await requested(creator, 60_00);
  const month = runtime.now().toISOString().slice(0, 7);

  const statement = await creator.api.payouts.statement({ month, currency: 'eur' });

  expect(statement).toMatchObject({ openingMinor: 0, closingMinor: 0, months: [month], month, creator: 'Extracto' });
  expect(statement.entries.items.map(({ kind, shareMinor }) => [kind, shareMinor])).toEqual([
    ['adjustment', 60_00],
    ['payout', -60_00],
  ]);
  expect(statement.byKind).toEqual([
    { kind: 'adjustment', minor: 60_00 },
    { kind: 'payout', minor: -60_00 },
  ]);
  const exported = await creator.api.payouts.exportStatement({ month, currency: 'eur' });
  expect(exported).toEqual(statement.entries.items);
  expect((await creator.api.payouts.statement({ month: '2020-01', currency: 'eur' })).entries.total).toBe(0);
  expect((await creator.api.payouts.statement({ month, currency: 'usd' })).entries.total).toBe(0);
  expect((await lucia.api.payouts.statement({ month, currency: 'usd' })).entries.total).toBe(0);
});

test('a payout that the bank may have transferred is reversed only by an operator who names its file', async () => {
  const creator = await make.creator({ name: 'Enviada', country: 'ES' });
  const id = await requested(creator, 60_00);
  await run('approve', [id]);
  await run('sepa', [], { out: path.join(folder, 'sent.xml'), file: 'sent' });

  await expect(run('reverse', [id], { reason: 'A typo' })).toFailWith('payout.in_transfer_file');

  expect(await run('reverse', [id], { reason: 'A typo', file: 'sent' })).toMatchObject([{ status: 'reversed' }]);
});

test('while the operator’s own account is missing, no payout is taken into a file, which could not be written', async () => {
  const id = await requested(await make.creator({ name: 'Sin banco', country: 'ES' }), 60_00);
  await run('approve', [id]);
  const withoutBank = { ...admin, ctx: { ...ctx, bank: null } };

  const collected = payoutCommands.sepa!.run(withoutBank, [], { out: path.join(folder, 'none.xml'), file: 'none' });

  await expect(collected).toFailWith('console.bank_missing');
  const [row] = await db.select().from(payouts).where(eq(payouts.publicId, id));
  expect(row).toMatchObject({ status: 'approved', transferFile: null });
});

test.each([
  ['approve', [], {}, /IDs/],
  ['approve', ['1; drop table payouts'], {}, /IDs/],
  ['list', [], { status: 'gone' }, /--status/],
  ['reverse', ['0f0e5f5e-1111-4222-8333-abcdefabcdef'], {}, /--reason/],
  ['sepa', [], {}, /--out/],
  ['sepa', [], { out: '/nowhere/x', day: '2020-01-01' }, /--day/],
  ['sepa', [], { out: '/nowhere/x', file: '../x' }, /--file/],
  ['paid', [], { file: 'unknown' }, /no payout/],
])('%s %j %j is refused', async (name, args, options, message) => {
  await expect(run(name, args, options as never)).rejects.toThrow(message);
});

test('the commands about VAT read the books, and say what is written wrongly', async () => {
  const vat = (name: string, args: string[], options = {}) => vatCommands[name]!.run(admin, args, options);
  const out = path.join(folder, 'oss.csv');

  expect(await vat('oss', ['2020-Q1'], { rate: 'usd=1.0837@2020-Q1, usd=1@2019-Q4', out })).toEqual([]);
  expect(await vat('reverse-charge', ['2020-Q1'])).toEqual([]);
  expect(await vat('evidence', ['2020-Q1'])).toEqual([]);
  expect(await fs.readFile(out, 'utf8')).toMatch(/^part,quarter,/);
  await expect(vat('oss', ['2020-Q1'], { rate: 'usd=1.08' })).rejects.toThrow('--rate');
  await expect(vat('oss', [])).rejects.toThrow('one quarter');
  await expect(vat('oss', ['2020'])).toFailWith('vat.quarter_unknown');
});
