import { csvResponse } from '~/app/lib/csv-response.server';
import { type Door, file } from '~/app/lib/doors.server';
import { productRef } from '~/app/lib/route-refs';
import { csvLine } from '~/server/base/csv';
import { toDecimal } from '~/server/base/money';
import { KINDS, type KindName } from '~/server/domain/products/kinds';

/** All subscribers or customers of a show, with their ids at the payment provider, so that a creator who leaves keeps them. */
export const loader = file(async (door) => {
  const ref = productRef(door);
  // before the response begins: a member whose role doesn't allow it gets an error instead of an empty file
  const first = await door.api.buyers.export(ref);
  return csvResponse(`${KINDS[ref.kind].buyers}.csv`, linesOf(door, ref, first));
});

type Part = Awaited<ReturnType<Door['api']['buyers']['export']>>;

const COLUMNS = 'email,name,state,since,until,renews,interval,price,revenue,currency,customer,subscription,account';

/** The database reads the next part while the last one is written and sent. */
async function* linesOf({ api }: Door, ref: { id: number; kind: KindName }, first: Part): AsyncGenerator<string, void> {
  yield `${COLUMNS}\r\n`;
  for (let part = first; part.length > 0; ) {
    const next = api.buyers.export({ ...ref, after: part.at(-1)!.userId });
    // it may fail before a slow client has taken the lines; awaiting it throws the same error
    next.catch(() => {});
    yield part.map(lineOf).join('');
    part = await next;
  }
}

function lineOf({ email, name, state, since, until, renewsAt, ...paid }: Part[number]): string {
  const { every, priceMinor, revenueMinor, currency, customer, subscription, account } = paid;
  const price = priceMinor === null ? null : toDecimal(priceMinor);
  const facts = [every, price, toDecimal(revenueMinor), currency, customer, subscription, account];
  return csvLine([email, name, state, since, until, renewsAt, ...facts]);
}
