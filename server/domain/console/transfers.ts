import { DAYS, later, utcDay } from '../../base/time';
import type { Ctx } from '../../runtime/ctx';
import type { Operator } from '../operators/record-operation';
import { nextBankDay } from '../payouts/bank-days';
import { collectTransfers, transfersIn } from '../payouts/collect-transfers';
import type { PayoutRow } from '../payouts/queries';
import { sepaFile } from '../payouts/sepa';
import { bankMissing, nothingToDo } from './errors';

/**
 * Puts the approved payouts in euros that are in no file yet into a file for the bank. Repeating it with the same name
 * is harmless. @throws console.bank_missing, because the file could not be written
 */
export async function collectFile(ctx: Ctx, { operator, file }: { operator: Operator; file: string }) {
  await requireBank(ctx);
  return { file, payouts: await collectTransfers(ctx, { operator, file }) };
}

/** A file name that the bank does not know yet. */
export const newFileName = ({ now }: Pick<Ctx, 'now'>): string =>
  `payouts-${now().toISOString().slice(0, 19).replace(/\D/g, '')}`;

/** The default day of the transfer. */
export const tomorrow = ({ now }: Pick<Ctx, 'now'>): string => utcDay(later(now(), DAYS(1)));

/**
 * The file with its unpaid payouts, for that day or the next on which banks are open. A second call returns the same file except for its time.
 * @throws console.bank_missing, console.nothing_to_do
 */
export async function writeFile(ctx: Ctx, { file, day }: { file: string; day: string }): Promise<string> {
  const bank = await requireBank(ctx);
  const due = await transfersIn(ctx, file);
  if (due.length === 0) throw nothingToDo();
  const debtor = { name: ctx.settings.operator.name, ...bank };
  const transfers = due.map((row) => transferOf(ctx, row));
  return sepaFile({ name: file, createdAt: ctx.now(), day: nextBankDay(day), debtor, transfers });
}

async function requireBank({ bank }: Ctx) {
  const { isValidIBAN } = await import('ibantools');
  if (!bank || !isValidIBAN(bank.iban)) throw bankMissing();
  return bank;
}

function transferOf({ settings }: Ctx, { publicId, holder, destination, amountMinor, month }: PayoutRow) {
  const text = `${settings.operator.name} ${month}`;
  return { reference: publicId, holder, iban: destination, amountMinor, text };
}
