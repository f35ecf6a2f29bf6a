import { csvResponse } from '~/app/lib/csv-response.server';
import { type Door, file } from '~/app/lib/doors.server';
import { csvLine } from '~/server/base/csv';

/** All contacts of a creator, so that a creator who leaves keeps them, and who has left stays unsubscribed elsewhere. */
export const loader = file(async (door) => {
  // before the response begins: a member whose role doesn't allow it gets an error instead of an empty file
  const first = await door.api.contacts.export({});
  return csvResponse('contacts.csv', linesOf(door, first));
});

type Part = Awaited<ReturnType<Door['api']['contacts']['export']>>;

const COLUMNS = 'email,name,status,since,months_as_subscriber,tags,sources,last_read';

/** The database reads the next part while the last one is written and sent. */
async function* linesOf({ api }: Door, first: Part): AsyncGenerator<string, void> {
  yield `${COLUMNS}\r\n`;
  for (let part = first; part.length > 0; ) {
    const next = api.contacts.export({ after: part.at(-1)!.id });
    // it may fail before a slow client has taken the lines; awaiting it throws the same error
    next.catch(() => {});
    yield part.map(lineOf).join('');
    part = await next;
  }
}

function lineOf({ email, name, state, since, months, tags, sources, lastSeenOn }: Part[number]): string {
  return csvLine([email, name, state, since, months, tags.join(', '), sources.join(', '), lastSeenOn]);
}
