import { describeProblem } from '../../base/problems';
import { utcDay } from '../../base/time';
import { countClick, countOpen } from '../../domain/newsletter/count-readers';
import { READER_PARAM, readReaderTag } from '../../domain/newsletter/reader-links';
import type { App } from '../../http/app-env';
import { NO_PAGE_HEADERS } from '../../http/security';
import type { Runtime } from '../../runtime/runtime';

const HEADERS = { ...NO_PAGE_HEADERS, 'cache-control': 'no-store' };
/** A transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const PICTURE = /^([1-9]\d{0,14})\.gif$/;
const NUMBER = /^\d{1,15}$/;

type Counted = Pick<Runtime, 'db' | 'log' | 'vault' | 'recorders' | 'now'>;

/**
 * `/opened/12.gif` and `/clicked/12/3`: the same addresses for every recipient of an edition, but for those who agreed to be
 * seen, whose addresses name them. Any other name changes nothing. The picture comes whatever happens, because a mailbox
 * shows a broken one.
 */
export function editionCountsDoor(runtime: Counted) {
  return (app: App): void => {
    app.get('/opened/:file', async (c) => {
      const [, id] = PICTURE.exec(c.req.param('file')) ?? [];
      if (id === undefined) return c.text('Not found.', 404, HEADERS);
      if (c.req.method === 'GET') {
        await countOpen(runtime, { id: Number(id) }).catch((err) => runtime.log.warn({ err, id }, 'open not counted'));
        noteReader(runtime, Number(id), c.req.query(READER_PARAM));
      }
      return c.body(PIXEL, 200, { ...HEADERS, 'content-type': 'image/gif' });
    });
    app.get('/clicked/:id/:position', async (c) => {
      const { id, position } = c.req.param();
      // a scanner that asks for the head only is no reader
      if (c.req.method !== 'GET') return c.body(null, 204, HEADERS);
      const isLink = NUMBER.test(id) && /^\d{1,5}$/.test(position);
      const link = isLink ? await lookupLink(runtime, { id: Number(id), position: Number(position) }) : null;
      if (link) noteReader(runtime, Number(id), c.req.query(READER_PARAM));
      return link && URL.canParse(link.href) ? redirectTo(new URL(link.href).href) : c.text('Not found.', 404, HEADERS);
    });
  };
}

/** The answer does not wait for it: what is lost here is a day that the next email brings again. */
function noteReader({ vault, recorders, now, log }: Counted, editionId: number, tag: string | undefined): void {
  const contactId = readReaderTag({ vault }, editionId, tag);
  if (contactId === null) return;
  recorders.readers
    .record({ contactId, on: utcDay(now()) })
    .catch((err) => log.warn({ err, editionId }, 'reader not noted'));
}

/** Without Hono, which would encode the address again. */
const redirectTo = (location: string) => new Response(null, { status: 302, headers: { ...HEADERS, location } });

async function lookupLink(runtime: Pick<Runtime, 'db'>, link: { id: number; position: number }) {
  try {
    return await countClick(runtime, link);
  } catch (error) {
    if (describeProblem(error).kind === 'not_found') return null;
    throw error;
  }
}
