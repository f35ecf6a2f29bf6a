import { writeFile } from 'node:fs/promises';
import { toDecimal } from '../base/money';
import { listUnconfirmed } from '../domain/vat/evidence';
import { registrationNotices } from '../domain/vat/registrations';
import { reverseCharges, reverseChargesCsv } from '../domain/vat/reverse-charges';
import { type EuroRates, type ReturnLine, type ReturnNotice, returnCsv, vatReturn } from '../domain/vat/vat-return';
import { type Command, type CommandGroup, type CommandOptions, type CommandOutput, UsageError } from './command';

/** `usd=1.0837@2026-Q3,usd=1.0721@2026-Q2`: one euro on the last day of each quarter. @throws UsageError */
function ratesIn({ rate = '' }: CommandOptions): EuroRates {
  const given = rate.split(',').filter((text) => text.trim() !== '');
  return Object.fromEntries(
    given.map((text) => {
      const [, currency, value, quarter] =
        /^([a-z]{3})=(\d{1,6}(?:\.\d{1,6})?)@(20\d{2}-Q[1-4])$/.exec(text.trim()) ?? [];
      if (!currency || Number(value) <= 0)
        throw new UsageError('--rate is such as usd=1.0837@2026-Q3, several with commas');
      return [`${currency}@${quarter}`, Number(value)];
    }),
  );
}

function quarterIn([quarter, ...others]: string[]): string {
  if (!quarter || others.length > 0) throw new UsageError('expected one quarter, such as 2026-Q3');
  return quarter;
}

/** Never overwrites a file. */
async function writeOut({ out }: CommandOptions, text: string): Promise<void> {
  if (out) await writeFile(out, text, { mode: 0o600, flag: 'wx' });
}

const toLine = ({ part, quarter, country, basisPoints, currency, ...amounts }: ReturnLine) => ({
  ...{ part, quarter, country, rate: `${basisPoints / 100} %`, currency: currency.toUpperCase() },
  ...{ taxable: toDecimal(amounts.taxableMinor), vat: toDecimal(amounts.vatMinor) },
  ...{ taxableEur: toDecimal(amounts.taxableEurMinor), vatEur: toDecimal(amounts.vatEurMinor), note: null },
});
const toNotice = ({ quarter, country, text }: ReturnNotice) => ({
  ...{ part: 'notice', quarter, country, rate: null, currency: null, taxable: null, vat: null },
  ...{ taxableEur: null, vatEur: null, note: text },
});

const oss: Command = {
  usage: 'oss YYYY-Qn [--rate usd=RATE@YYYY-Qn,…] [--out FILE.csv]',
  options: ['rate', 'out'],
  async run({ ctx }, args, options) {
    const { lines, tooOld } = await vatReturn(ctx, quarterIn(args), ratesIn(options));
    const notices = await registrationNotices(ctx, quarterIn(args));
    await writeOut(options, returnCsv(lines, notices));
    return [
      ...lines.map(toLine),
      // for the countries' own returns; the file leaves them out
      ...tooOld.map((line) => ({ ...toLine(line), part: 'too old' })),
      ...notices.map(toNotice),
    ];
  },
};

const reverseCharge: Command = {
  usage: 'reverse-charge YYYY-Qn [--rate usd=RATE@YYYY-Qn,…] [--out FILE.csv]',
  options: ['rate', 'out'],
  async run({ ctx }, args, options) {
    const lines = await reverseCharges(ctx, quarterIn(args), ratesIn(options));
    await writeOut(options, reverseChargesCsv(lines));
    return lines.map(({ part, quarter, vatNumber, name, currency, taxableMinor, taxableEurMinor }) => ({
      ...{ part, quarter, vatNumber, name, currency: currency.toUpperCase() },
      ...{ taxable: toDecimal(taxableMinor), taxableEur: toDecimal(taxableEurMinor) },
    }));
  },
};

const evidence: Command = {
  usage: 'evidence YYYY-Qn',
  async run({ ctx }, args): Promise<CommandOutput> {
    return (await listUnconfirmed(ctx, quarterIn(args))).map((sale) => ({
      ...{ payment: sale.paymentId, paid: sale.paidAt.toISOString(), item: sale.name },
      ...{ amount: toDecimal(sale.amountMinor), currency: sale.currency.toUpperCase(), country: sale.vatCountry },
      evidence: sale.vatEvidence.map(({ kind, country }) => `${kind.replace('_country', '')} ${country}`).join(', '),
    }));
  },
};

export const vatCommands: CommandGroup = { oss, 'reverse-charge': reverseCharge, evidence };
