import { z } from 'zod';
import { CURRENCIES, toDecimal } from '../base/money';
import { monthBounds } from '../base/time';
import { disputeText, reasonText } from '../domain/billing/base/bank-words';
import { viewBooks } from '../domain/billing/base/schema';
import { compareMonth, listDifferences } from '../domain/billing/books/differences';
import { reconcileBooks } from '../domain/billing/books/reconcile-books';
import { acceptDispute, answerDispute, listOpenDisputes } from '../domain/billing/payers/dispute-answers';
import { recordOperation } from '../domain/operators/record-operation';
import { adjustBalance } from '../domain/payouts/adjust-balance';
import { transact } from '../runtime/ctx';
import { type Command, type CommandGroup, requireReason, UsageError, words } from './command';
import { reasonedStep, step } from './steps';

const decimalOrNull = (minor: number | null) => (minor === null ? null : toDecimal(minor));

const compare: Command = {
  usage: 'compare',
  async run({ ctx, operator }) {
    const { entries, differences } = await reconcileBooks(ctx);
    await transact(ctx, (tx) =>
      recordOperation(tx, operator, { action: 'books.compared', target: 'books', details: { entries, differences } }),
    );
    return [{ entries, differences }];
  },
};

const differences: Command = {
  usage: 'differences',
  async run({ ctx }) {
    return (await listDifferences(ctx)).map(({ key, currency, creator, show, oursMinor, theirsMinor, at }) => ({
      ...{ key, at: at.toISOString(), creator, show, currency: currency.toUpperCase() },
      ours: decimalOrNull(oursMinor),
      theirs: decimalOrNull(theirsMinor),
    }));
  },
};

const month: Command = {
  usage: 'month YYYY-MM',
  async run({ ctx }, [text = '']) {
    if (!viewBooks.shape.month.safeParse(text).success) throw new UsageError('expected a month, such as 2026-10');
    const [from, to] = monthBounds(text);
    return (await compareMonth(ctx, from, to)).map(({ creator, show, currency, ...minor }) => ({
      ...{ creator, show, currency: currency.toUpperCase() },
      ...{ ours: toDecimal(minor.oursMinor), theirs: toDecimal(minor.theirsMinor) },
      ...{ difference: toDecimal(minor.differenceMinor), uncompared: toDecimal(minor.uncomparedMinor) },
    }));
  },
};

const amountOf = z
  .string()
  .regex(/^-?\d{1,7}\.\d{2}$/)
  .transform((text) => Math.round(Number(text) * 100));

const adjust: Command = {
  usage: 'adjust DOMAIN eur|usd AMOUNT --reason TEXT',
  options: ['reason'],
  async run({ ctx, operator }, [domain = '', code, text], options) {
    const currency = CURRENCIES.find((known) => known === code);
    const amount = amountOf.safeParse(text);
    if (!currency || !amount.success || amount.data === 0)
      throw new UsageError('expected a creator’s domain, eur or usd, and an amount such as 5.00 or -5.00');
    const reason = requireReason(options);
    await adjustBalance(ctx, { operator, domain, amount: { minor: amount.data, currency }, reason });
    return [{ creator: domain, currency: currency.toUpperCase(), amount: toDecimal(amount.data) }];
  },
};

export const bookCommands: CommandGroup = { compare, differences, month, adjust };

/** The provider's id. @throws UsageError */
function disputeIn([id = '', ...others]: string[]): string {
  if (others.length > 0 || !/^d[up]_\w{1,100}$/.test(id)) throw new UsageError('expected one ID, as “list” prints it');
  return id;
}

const list: Command = {
  usage: 'list',
  async run({ ctx }) {
    return (await listOpenDisputes(ctx)).map(({ dispute, sale, creator }) => ({
      id: dispute.providerId,
      ...{ status: disputeText(words, dispute.status), reason: reasonText(words, dispute.reason) },
      answerBy: dispute.answerBy?.toISOString() ?? null,
      ...{ amount: toDecimal(dispute.amountMinor), currency: sale.currency.toUpperCase() },
      ...{ creator, item: sale.name, paid: sale.paidAt.toISOString(), receipt: sale.receiptNumber },
    }));
  },
};

export const disputeCommands: CommandGroup = {
  list,
  answer: reasonedStep({ name: 'answer', state: 'answered', idIn: disputeIn }, (ctx, { reason, ...answer }) =>
    answerDispute(ctx, { ...answer, text: reason }),
  ),
  accept: step({ name: 'accept', state: 'lost', idIn: disputeIn }, acceptDispute),
};
