import { csvResponse } from '~/app/lib/csv-response.server';
import { type Door, file } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { csvLine } from '~/server/base/csv';

/** The lines of a list that could not be imported, with the reason in the creator's language. */
export const loader = file(async (door) => {
  const id = Number(door.params.importId) || 0;
  // before the response begins: a user who may not read it gets an error instead of an empty file
  const first = await door.api.subscriberImports.exportProblems({ id });
  return csvResponse('left-out.csv', linesOf(door, id, first));
});

type Part = Awaited<ReturnType<Door['api']['subscriberImports']['exportProblems']>>;

async function* linesOf({ api, context }: Door, id: number, first: Part): AsyncGenerator<string, void> {
  const t = translator(context.language, 'moving');
  yield csvLine(['line', 'email', 'name', 'customer', 'subscription', 'reason', 'text']);
  for (let part = first; part.length > 0; ) {
    yield part
      .map(({ line, email, name, customerId, subscriptionId, reason, failure }) => {
        const why = [reason ?? failure, t(`reason.${reason ?? 'failed'}`)];
        return csvLine([line, email, name, customerId, subscriptionId, ...why]);
      })
      .join('');
    part = await api.subscriberImports.exportProblems({ id, after: part.at(-1)!.line });
  }
}
