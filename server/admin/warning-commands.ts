import { toDecimal } from '../base/money';
import { reasonText, warningText } from '../domain/billing/base/bank-words';
import { keepWarned, listOpenWarnings, refundWarned } from '../domain/billing/payers/warning-answers';
import { type Command, type CommandGroup, UsageError, words } from './command';
import { reasonedStep, step } from './steps';

/** The provider's id. @throws UsageError */
function warningIn([id = '', ...others]: string[]): string {
  if (others.length > 0 || !/^(?:issfr|prv)_\w{1,100}$/.test(id))
    throw new UsageError('expected one ID, as “list” prints it');
  return id;
}

const list: Command = {
  usage: 'list',
  async run({ ctx }) {
    return (await listOpenWarnings(ctx)).map(({ warning, sale, creator }) => ({
      ...{ id: warning.providerId, kind: warningText(words, warning.kind), reason: reasonText(words, warning.reason) },
      warned: warning.warnedAt.toISOString(),
      ...{ amount: toDecimal(sale.amountMinor - sale.refundedMinor), currency: sale.currency.toUpperCase() },
      ...{ creator, item: sale.name, paid: sale.paidAt.toISOString(), receipt: sale.receiptNumber },
    }));
  },
};

/** Warnings about payments: reports of fraud by banks, and the provider's reviews. */
export const warningCommands: CommandGroup = {
  list,
  refund: step({ name: 'refund', state: 'refunded', idIn: warningIn }, refundWarned),
  keep: reasonedStep({ name: 'keep', state: 'kept', idIn: warningIn }, keepWarned),
};
