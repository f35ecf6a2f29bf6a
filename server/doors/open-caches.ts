import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { SESSIONS_TAG } from '../auth/sessions';
import { SECONDS } from '../base/time';
import { type Changes, listenForChanges } from '../http/caches/changes';
import { createEnclosureCache, type EnclosureCache } from '../http/caches/enclosure-cache';
import { createPageCache, type PageCache } from '../http/caches/page-cache';
import { createShowLanguages, type ShowLanguages } from '../http/caches/show-language';
import { CACHE_LIMITS } from '../limits/http';
import { type AnswerCache, createAnswerCache } from '../rest/answer-cache';
import type { OpenRuntime } from '../runtime/open-runtime';
import type { Runtime } from '../runtime/runtime';
import { createSoundFileCache, type SoundFileCache } from './audio/sound-files';

const ASK_PAUSE = SECONDS(0.25);
const DEAF =
  'notifications of the database do not arrive, as behind a pooler in transaction mode, so pages may be out of date: ' +
  'set DATABASE_DIRECT_URL to the database itself, without the pooler';

export type Caches = {
  pages: PageCache;
  enclosures: EnclosureCache;
  soundFiles: SoundFileCache;
  showLanguages: ShowLanguages;
  answers: AnswerCache;
  /** Whether this process receives the changes of all processes now. */
  hearsChanges(): boolean;
  close(): Promise<void>;
};

/** The caches of a web process. Changes that any process announces invalidate them. */
export function openCaches({ runtime, directUrl }: Pick<OpenRuntime, 'runtime' | 'directUrl'>): Caches {
  const pages = createPageCache({ bytes: CACHE_LIMITS.bytes, ceiling: CACHE_LIMITS.pageCeiling, now: Date.now });
  const enclosures = createEnclosureCache(runtime);
  const soundFiles = createSoundFileCache(runtime);
  const showLanguages = createShowLanguages(runtime.db);
  const rows = [enclosures, soundFiles, showLanguages];
  const clearRows = () => {
    for (const cache of rows) cache.clear();
  };
  const closing = new AbortController();
  /** Until then, what was cached is all that visitors can get: a pooler may need seconds longer than the database. */
  const clearOnceAnswered = async () => {
    await untilAnswered(runtime.db, closing.signal);
    pages.clear();
    clearRows();
  };
  let isDeaf = true;
  const hearsChanges = () => !isDeaf && changes.isListening();
  const answers = createAnswerCache(hearsChanges);
  const changes = listenForChanges(directUrl, {
    onChange(tag) {
      pages.invalidate(tag);
      // the discovery page may show any product and must show new ones
      if (tag !== SESSIONS_TAG) pages.invalidate(DISCOVER_TAG);
      answers.clear();
      if (tag === SESSIONS_TAG) runtime.sessions.forget();
      else clearRows();
    },
    onGap() {
      for (const cache of [pages, ...rows]) cache.expire();
      answers.clear();
      runtime.sessions.forget();
      void clearOnceAnswered();
    },
    log: runtime.log,
  });
  const checkHearing = async () => {
    isDeaf = !(await isHearing(changes, runtime));
    if (isDeaf) runtime.log.warn({}, DEAF);
  };
  const stopWatching = runtime.content.watch(() => pages.invalidate(CONTENT_TAG));
  runtime.meters.setListening(hearsChanges);
  void changes.ready.then(checkHearing);
  const close = () => {
    closing.abort();
    stopWatching();
    return changes.close();
  };
  return { pages, enclosures, soundFiles, showLanguages, answers, hearsChanges, close };
}

async function untilAnswered(db: Database, closing: AbortSignal): Promise<void> {
  const answers = () =>
    db.execute(sql`select 1`).then(
      () => true,
      () => false,
    );
  while (!closing.aborted && !(await answers())) await sleep(ASK_PAUSE, null, { ref: false });
}

/** The tag of pages that show texts of the site (app/features/site/blog). */
const CONTENT_TAG = 'content';

/** The tag of the discovery page. */
const DISCOVER_TAG = 'discover';

/** Without notifications, changes of other processes would go unnoticed until each cached response expires. */
function isHearing(changes: Changes, { db }: Runtime): Promise<boolean> {
  // a connection error, which other code reports
  return changes.hears((channel) => db.execute(sql`select pg_notify(${channel}, '')`)).catch(() => true);
}
