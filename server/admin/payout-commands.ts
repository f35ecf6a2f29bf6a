import { writeFile as saveFile } from 'node:fs/promises';
import { z } from 'zod';
import type { PayoutStatus } from '~/db/schema/payouts';
import { toDecimal } from '../base/money';
import { utcDay } from '../base/time';
import { FILE_NAME } from '../domain/console/schema';
import { collectFile, newFileName, tomorrow, writeFile } from '../domain/console/transfers';
import { listOperations } from '../domain/operators/queries';
import {
  findForOperator,
  listForOperator,
  type PayoutForOperator,
  transfersIn,
} from '../domain/payouts/collect-transfers';
import { papersOf } from '../domain/payouts/papers';
import type { PayoutRow } from '../domain/payouts/queries';
import { approvePayout, markPayoutPaid, reversePayout } from '../domain/payouts/settle-payout';
import type { Ctx } from '../runtime/ctx';
import { type Command, type CommandGroup, type CommandOutput, requireIds, requireReason, UsageError } from './command';

const STATUSES: PayoutStatus[] = ['requested', 'approved', 'paid', 'reversed'];

const list: Command = {
  usage: `list [--status ${STATUSES.join('|')}|all]`,
  options: ['status'],
  async run({ ctx }, _, { status = 'requested' }) {
    const chosen = STATUSES.find((each) => each === status) ?? null;
    if (chosen === null && status !== 'all') throw new UsageError(`--status is one of ${STATUSES.join(', ')}, all`);
    return (await listForOperator(ctx, chosen)).map(lineOf);
  },
};

const show: Command = {
  usage: 'show ID',
  async run({ ctx }, args) {
    const [id] = requireIds(args);
    const found = await findForOperator(ctx, id!);
    const papers = (await papersOf(ctx, [found.payout.id])).get(found.payout.id) ?? [];
    const facts = { ...lineOf(found), holder: found.payout.holder, reason: found.payout.reason };
    return [
      ...Object.entries(facts).map(([what, value]) => ({ what, value })),
      ...papers.map(({ kind, number }) => ({ what: kind, value: number })),
      ...(await listOperations(ctx, `payout/${id}`)).map(({ at, operator, action }) => ({
        what: action,
        value: `${at.toISOString()} ${operator}`,
      })),
    ];
  },
};

const approve: Command = {
  usage: 'approve ID…',
  async run({ ctx, operator }, args) {
    return forEachPayout(requireIds(args), (id) => approvePayout(ctx, { operator, id }));
  },
};

const paid: Command = {
  usage: 'paid ID… | paid --file NAME',
  options: ['file'],
  async run({ ctx, operator }, args, { file }) {
    const inFile = file ? (await transfersIn(ctx, file)).map(({ publicId }) => publicId) : [];
    if (file && inFile.length === 0) throw new UsageError('no payout of this file waits');
    return forEachPayout(file ? inFile : requireIds(args), (id) => markPayoutPaid(ctx, { operator, id }));
  },
};

const reverse: Command = {
  usage: 'reverse ID --reason TEXT [--file NAME]',
  options: ['reason', 'file'],
  async run({ ctx, operator }, args, options) {
    const reason = requireReason(options);
    const [id, ...others] = requireIds(args);
    if (others.length > 0) throw new UsageError('one payout at a time, each with its reason');
    return [stateOf(await reversePayout(ctx, { operator, id: id!, reason, file: options.file }))];
  },
};

const sepa: Command = {
  usage: 'sepa --out FILE [--day YYYY-MM-DD] [--file NAME]',
  options: ['out', 'day', 'file'],
  async run({ ctx, operator }, _, options) {
    const { out } = options;
    if (!out) throw new UsageError('--out FILE is missing');
    const file = nameOf(ctx, options.file);
    const day = dayOf(ctx, options.day);
    const { payouts } = await collectFile(ctx, { operator, file });
    if (payouts.length === 0) return [];
    await saveFile(out, await writeFile(ctx, { file, day }), { mode: 0o600, flag: 'wx' });
    return payouts.map((row) => ({ file, ...stateOf(row), holder: row.holder }));
  },
};

/** @throws UsageError */
function nameOf(ctx: Ctx, given = newFileName(ctx)): string {
  if (FILE_NAME.test(given)) return given;
  throw new UsageError('--file is a name of at most 30 letters, digits and hyphens');
}

/** @throws UsageError */
function dayOf(ctx: Ctx, given = tomorrow(ctx)): string {
  if (z.iso.date().safeParse(given).success && given >= utcDay(ctx.now())) return given;
  throw new UsageError('--day is a day from today on, such as 2026-11-30');
}

/** One after the other, each in a transaction of its own: the payouts before a failure stay done. */
async function forEachPayout(ids: string[], step: (id: string) => Promise<PayoutRow>): Promise<CommandOutput> {
  const done: CommandOutput = [];
  for (const id of ids) done.push(stateOf(await step(id)));
  return done;
}

const stateOf = ({ publicId: id, status, amountMinor, currency }: PayoutRow) => ({
  id,
  status,
  amount: toDecimal(amountMinor),
  currency: currency.toUpperCase(),
});

const lineOf = ({ payout, creator }: PayoutForOperator) => ({
  ...stateOf(payout),
  month: payout.month,
  creator: creator.domain,
  method: payout.method,
  destination: payout.destination,
  requested: payout.requestedAt.toISOString(),
  file: payout.transferFile,
});

export const payoutCommands: CommandGroup = { list, show, approve, paid, reverse, sepa };
