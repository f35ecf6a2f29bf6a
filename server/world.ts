import type { Database } from '~/db/client';
import type { JobQueue } from '~/jobs/queue';
import type { CookieSettings } from './auth/cookies';
import type { Sessions } from './auth/sessions';
import type { Ctx, FarEnds } from './ctx';
import type { RateLimits } from './http/rate-limits';
import type { Log } from './log';
import { say } from './messages';
import type { Urls } from './urls';

/** What lives as long as the process: main.ts makes one, and so does each test. */
export type World = {
  db: Database;
  queue: JobQueue;
  far: FarEnds;
  urls: Urls;
  log: Log;
  sessions: Sessions;
  rateLimits: RateLimits;
  cookies: CookieSettings;
  stripePublishableKey: string | null;
  now(): Date;
};

/** The context of a job: it acts as the system, in the language of whom it writes to. */
export function systemCtx(world: World, job: string): Ctx {
  return {
    ...baseCtx(world),
    actor: { type: 'system', job },
    language: 'en',
    say: (key, params, language = 'en') => say(language, key, params),
    log: world.log.child({ job }),
    client: { address: '', userAgent: '' },
    sessions: {
      open: (userId) => world.sessions.start(userId),
      close: async () => {},
      remember: () => {},
    },
  };
}

/** The parts of a context that do not depend on who asks. */
export function baseCtx(world: World): Pick<Ctx, 'db' | 'queue' | 'far' | 'urls' | 'now' | 'stripePublishableKey'> {
  const { db, queue, far, urls, now, stripePublishableKey } = world;
  return { db, queue, far, urls, now, stripePublishableKey };
}
