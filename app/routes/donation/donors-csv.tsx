import { creatorIdOf } from '~/app/features/listener/donation/donation-data.server';
import { csvResponse } from '~/app/lib/csv-response.server';
import { type Door, file } from '~/app/lib/doors.server';
import { csvLine } from '~/server/base/csv';
import { toDecimal } from '~/server/base/money';

/** All donations to a creator, with the ids of the payment provider, so that a creator who leaves keeps them. */
export const loader = file(async (door) => {
  const creatorId = creatorIdOf(door);
  // before the response begins: a member whose role doesn't allow it gets an error instead of an empty file
  const first = await door.api.donations.export({ creatorId });
  return csvResponse('donations.csv', linesOf(door, creatorId, first));
});

type Part = Awaited<ReturnType<Door['api']['donations']['export']>>;

const COLUMNS =
  'id,name,email,amount,currency,frequency,status,total,since,message,anonymous,hidden,subscription,payments';

async function* linesOf({ api }: Door, creatorId: number, first: Part): AsyncGenerator<string, void> {
  yield `${COLUMNS}\r\n`;
  for (let part = first; part.length > 0; ) {
    yield part.map(lineOf).join('');
    const last = part.at(-1);
    part = last ? await api.donations.export({ creatorId, after: last.id }) : [];
  }
}

function lineOf(donation: Part[number]): string {
  const { id, name, email, amountMinor, currency, every, state, paidMinor, since, message } = donation;
  const { isAnonymous, isHidden, subscription, payments } = donation;
  return csvLine([
    id,
    name,
    email,
    toDecimal(amountMinor),
    currency,
    every ? 'monthly' : 'once',
    state,
    toDecimal(paidMinor),
    since,
    message,
    isAnonymous,
    isHidden,
    subscription,
    payments.join(' '),
  ]);
}
