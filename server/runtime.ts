import type { Database } from '~/db/client';
import type { JobQueue } from '~/jobs/queue';
import type { CookieSettings } from './auth/cookies';
import type { Sessions } from './auth/sessions';
import type { Ctx, Ports } from './ctx';
import type { RateLimits } from './http/rate-limits';
import type { Log } from './log';
import { translate } from './messages';
import type { Urls } from './urls';

/** What lives as long as the process: main.ts makes one, and so does each test. */
export type Runtime = {
  db: Database;
  queue: JobQueue;
  ports: Ports;
  urls: Urls;
  log: Log;
  sessions: Sessions;
  rateLimits: RateLimits;
  cookies: CookieSettings;
  stripePublishableKey: string | null;
  now(): Date;
};

/** The context of a job: it acts as the system, in the language of whom it writes to. */
export function systemCtx(runtime: Runtime, job: string): Ctx {
  return {
    ...baseCtx(runtime),
    actor: { type: 'system', job },
    language: 'en',
    translate: (key, params, language = 'en') => translate(language, key, params),
    log: runtime.log.child({ job }),
    client: { address: '', userAgent: '' },
    sessions: {
      open: (userId) => runtime.sessions.start(userId),
      close: async () => {},
      remember: () => {},
    },
  };
}

/** The parts of a context that do not depend on who asks. */
export function baseCtx(
  runtime: Runtime,
): Pick<Ctx, 'db' | 'queue' | 'ports' | 'urls' | 'now' | 'stripePublishableKey'> {
  const { db, queue, ports, urls, now, stripePublishableKey } = runtime;
  return { db, queue, ports, urls, now, stripePublishableKey };
}
