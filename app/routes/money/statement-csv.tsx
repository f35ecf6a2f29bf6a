import { csvResponse } from '~/app/lib/csv-response.server';
import { type Door, file } from '~/app/lib/doors.server';
import { csvLine } from '~/server/base/csv';
import { toDecimal } from '~/server/base/money';
import { receiptNumberOf } from '~/server/domain/billing/base/rules';

type Asked = { month: string; currency: 'eur' | 'usd' };
type Part = Awaited<ReturnType<Door['api']['payouts']['exportStatement']>>;

/** A statement for a spreadsheet or for bookkeeping. */
export const loader = file(async (door) => {
  const asked = Object.fromEntries(door.url.searchParams) as Asked;
  // before the response begins: a member whose role doesn't allow it gets an error instead of an empty file
  const first = await door.api.payouts.exportStatement(asked);
  return csvResponse(`statement-${asked.month}-${asked.currency}.csv`, linesOf(door, asked, first));
});

const COLUMNS = 'id,date,kind,show,buyer,receipt,gross,vat,commission,share,currency,payout,note';

async function* linesOf({ api }: Door, asked: Asked, first: Part): AsyncGenerator<string, void> {
  yield `${COLUMNS}\r\n`;
  for (let part = first; part.length > 0; ) {
    yield part.map((entry) => lineOf(entry, asked)).join('');
    const last = part.at(-1);
    part = last ? await api.payouts.exportStatement({ ...asked, after: last.id }) : [];
  }
}

function lineOf({ id, at, kind, note, sale, payout, ...minor }: Part[number], { currency }: Asked): string {
  return csvLine([
    id,
    at,
    kind,
    sale?.name ?? '',
    sale?.buyer ?? '',
    sale ? receiptNumberOf(sale.receiptNumber) : '',
    toDecimal(sale ? minor.grossMinor : 0),
    toDecimal(minor.vatMinor),
    toDecimal(minor.commissionMinor),
    toDecimal(minor.shareMinor),
    currency.toUpperCase(),
    payout,
    note,
  ]);
}
