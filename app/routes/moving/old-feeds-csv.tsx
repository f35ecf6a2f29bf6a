import { csvResponse } from '~/app/lib/csv-response.server';
import { type Door, file } from '~/app/lib/doors.server';
import { productRef } from '~/app/lib/route-refs';
import { csvLine } from '~/server/base/csv';

/** The redirects that a show's former host needs for its private feeds. */
export const loader = file(async (door) => {
  // before the response begins: a user who may not read it gets an error instead of an empty file
  const first = await door.api.subscriberImports.oldFeeds(productRef(door));
  return csvResponse('old-private-feeds.csv', linesOf(door, first));
});

type Part = Awaited<ReturnType<Door['api']['subscriberImports']['oldFeeds']>>;

async function* linesOf(door: Door, first: Part): AsyncGenerator<string, void> {
  yield csvLine(['from', 'to', 'used']);
  for (let part = first; part.length > 0; ) {
    yield part.map(({ from, to, usedAt }) => csvLine([from, to, usedAt])).join('');
    part = await door.api.subscriberImports.oldFeeds({ ...productRef(door), after: part.at(-1)!.hash });
  }
}
