import { csvResponse } from '~/app/lib/csv-response.server';
import { type Door, file } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { csvLine } from '~/server/base/csv';

/**
 * The rows of a file that brought no contact or lost their date, with the reason in the creator's language. Corrected, it can be
 * imported again: its columns have the names that are always recognised, and the others are ignored.
 */
export const loader = file(async (door) => {
  const id = Number(door.params.importId) || 0;
  // before the response begins: a user who may not read it gets an error instead of an empty file
  const first = await door.api.contactImports.problems({ id });
  return csvResponse('left-out.csv', linesOf(door, id, first));
});

const COLUMNS = ['email', 'name', 'since', 'tags', 'status', 'line', 'reason', 'text'];

type Part = Awaited<ReturnType<Door['api']['contactImports']['problems']>>;

async function* linesOf({ api, context }: Door, id: number, first: Part): AsyncGenerator<string, void> {
  const t = translator(context.language, 'contact-import');
  yield csvLine(COLUMNS);
  for (let part = first; part.length > 0; ) {
    yield part
      .map(({ line, text, fault, row }) => {
        const { email, name, since, tags, state } = row ?? { email: text, name: '', since: '', tags: '', state: '' };
        return csvLine([email, name, since, tags, state, line, fault, t(`reason.${fault}`)]);
      })
      .join('');
    part = await api.contactImports.problems({ id, after: part.at(-1)!.line });
  }
}
