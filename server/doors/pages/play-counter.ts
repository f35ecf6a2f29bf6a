import { LRUCache } from 'lru-cache';
import { isLanguage, type Language } from '~/locales/languages';
import { formatNumber, localeOf } from '../../base/formats';
import { escapeHtml } from '../../base/html';
import { translate } from '../../base/messages';
import { describeProblem } from '../../base/problems';
import { PLAY_COUNTER_PATH } from '../../base/public-paths';
import { type CountedShow, findCountedShow, roundedPlays } from '../../domain/pages/play-counter';
import type { App } from '../../http/app-env';
import { NO_PAGE_HEADERS } from '../../http/security';
import { COUNTER_LIMITS } from '../../limits/embeds';
import type { Runtime } from '../../runtime/runtime';

/** Pages of other sites show it. */
const HEADERS = {
  ...NO_PAGE_HEADERS,
  'cache-control': `public, max-age=${COUNTER_LIMITS.browserSeconds}`,
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};
const FILE = /^([1-9]\d{0,14})\.(svg|json)$/;

/** `/plays/12.svg` and `/plays/12.json`: the plays of a show, if its creator shows them. */
export function playCounterDoor({ db }: Pick<Runtime, 'db'>) {
  const counters = keptCounters(db);
  return (app: App): void =>
    void app.get(`${PLAY_COUNTER_PATH}/:file`, async (c) => {
      const [, id, format] = FILE.exec(c.req.param('file')) ?? [];
      const counter = id === undefined ? null : await counters.find(Number(id));
      if (!counter) return c.text('Not found.', 404, { ...NO_PAGE_HEADERS, 'cache-control': 'no-store' });
      const { show, plays } = counter;
      const asked = c.req.query('language') ?? show.language.slice(0, 2);
      const language: Language = isLanguage(asked) ? asked : 'en';
      const number = formatNumber(plays, localeOf(language));
      const text = translate(language, 'content:counter.plays', { number });
      return format === 'json'
        ? c.body(JSON.stringify({ id: show.id, plays, text }), 200, {
            ...HEADERS,
            'content-type': 'application/json; charset=utf-8',
          })
        : c.body(toSvg(text), 200, { ...HEADERS, 'content-type': 'image/svg+xml; charset=utf-8' });
    });
}

/** Any number of requests of other sites cost a query per show in some seconds, also for shows that are not counted. */
function keptCounters(db: Runtime['db']) {
  const { cached: max, shownFor, cachedFor } = COUNTER_LIMITS;
  // concurrent requests wait for the same query, and one that is no longer kept still answers them
  const kept = { max, ignoreFetchAbort: true };
  const shows = new LRUCache<number, { show: CountedShow | null }>({
    ...kept,
    ttl: shownFor,
    fetchMethod: async (id) => ({ show: await findCountedShow({ db }, id).catch(nullIfMissing) }),
  });
  const sums = new LRUCache<number, number, CountedShow>({
    ...kept,
    ttl: cachedFor,
    fetchMethod: (_id, _stale, { context: show }) => roundedPlays({ db }, show),
  });
  return {
    /** Null if the show does not exist or does not make its plays public. */
    async find(id: number): Promise<{ show: CountedShow; plays: number } | null> {
      const { show } = await shows.forceFetch(id);
      return show && { show, plays: await sums.forceFetch(id, { context: show }) };
    },
  };
}

function nullIfMissing(error: unknown): null {
  if (describeProblem(error).kind === 'not_found') return null;
  throw error;
}

const LETTER = 8.2;

/** Text on a plate of its own, which is legible on light and dark pages. */
function toSvg(text: string): string {
  const width = Math.ceil(44 + text.length * LETTER);
  const shown = escapeHtml(text);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="32" viewBox="0 0 ${width} 32" role="img" aria-label="${shown}">` +
    `<title>${shown}</title><rect width="${width}" height="32" rx="16" fill="#15131D"/><path d="M16 10l10 6-10 6z" fill="#FBFAF8"/>` +
    `<text x="34" y="21" fill="#FBFAF8" font-family="system-ui,sans-serif" font-size="14" font-weight="600">${shown}</text></svg>`
  );
}
