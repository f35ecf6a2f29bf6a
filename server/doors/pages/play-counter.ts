import { LRUCache } from 'lru-cache';
import { isLanguage, type Language } from '~/locales/languages';
import { formatNumber, localeOf } from '../../base/formats';
import { escapeHtml } from '../../base/html';
import { translate } from '../../base/messages';
import { describeProblem } from '../../base/problems';
import { PLAY_COUNTER_PATH } from '../../base/public-paths';
import { findCountedShow, roundedPlays } from '../../domain/pages/play-counter';
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
  const sums = new LRUCache<number, number>({ max: COUNTER_LIMITS.cached, ttl: COUNTER_LIMITS.cachedFor });
  return (app: App): void =>
    void app.get(`${PLAY_COUNTER_PATH}/:file`, async (c) => {
      const [, id, format] = FILE.exec(c.req.param('file')) ?? [];
      const show = id === undefined ? null : await findCountedShow({ db }, Number(id)).catch(nullIfMissing);
      if (!show) return c.text('Not found.', 404, { ...NO_PAGE_HEADERS, 'cache-control': 'no-store' });
      const plays = sums.get(show.id) ?? (await roundedPlays({ db }, show));
      sums.set(show.id, plays, { noUpdateTTL: true });
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
