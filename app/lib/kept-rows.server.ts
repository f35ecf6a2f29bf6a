import { LRUCache } from 'lru-cache';
import { CACHE_LIMITS } from '~/server/limits/http';
import type { FindRows } from './kept-rows';

/**
 * The tags around the list that `EpisodeList` renders. Creators' texts can't contain them, because React escapes texts.
 */
const OPENING = '<ol class="episodes">';
const CLOSING = '</ol>';

const kept = new LRUCache<string, string>({
  maxSize: CACHE_LIMITS.rowsBytes,
  sizeCalculation: (html, key) => html.length + key.length,
});

/** The kept rows of one page: `keep` cuts them out of the finished page. */
export function keptRows(): { find: FindRows; keep: (page: Buffer) => void } {
  let missing: string | null = null;
  return {
    find(key) {
      const html = kept.get(key) ?? null;
      if (html === null) missing = key;
      return html;
    },
    keep(page) {
      const start = missing === null ? -1 : page.indexOf(OPENING) + OPENING.length;
      if (missing === null || start < OPENING.length) return;
      kept.set(missing, page.toString('utf8', start, page.indexOf(CLOSING, start)));
    },
  };
}
