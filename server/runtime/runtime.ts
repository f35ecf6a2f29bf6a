import type { Locker } from '@tus/server';
import type { Database } from '~/db/client';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import type { CookieSettings } from '../auth/cookies';
import type { Devices } from '../auth/devices';
import type { Sessions } from '../auth/sessions';
import type { Vault } from '../auth/vault';
import { localeOf } from '../base/formats';
import { translate } from '../base/messages';
import type { Urls } from '../base/urls';
import type { ContentSource } from '../content/library';
import type { BankSettings } from '../env/operator';
import type { RateLimits } from '../flow/rate-limits';
import type { JobQueue } from '../queue/queue';
import type { Log } from '../watching/log';
import type { Meters } from '../watching/meters';
import type { Tracing } from '../watching/tracing/tracing';
import type { Ctx, Ports, PublicSettings, Recorders } from './ctx';
import type { Reach } from './seams';

/** Everything that lives as long as the process: main.ts creates a runtime, and so does each test. */
export type Runtime = {
  db: Database;
  queue: JobQueue;
  ports: Ports;
  urls: Urls;
  log: Log;
  meters: Meters;
  tracing: Tracing | null;
  sessions: Sessions;
  rateLimits: RateLimits;
  devices: Devices;
  vault: Vault;
  cookies: CookieSettings;
  recorders: Recorders;
  content: ContentSource;
  uploadLocks: Locker;
  settings: PublicSettings;
  bank: BankSettings | null;
  now(): Date;
  reach: Reach;
};

/** The context of a job, which acts as the system; its texts are in the recipient's language. */
export function systemCtx(runtime: Runtime, job: string): Ctx {
  return {
    ...baseCtx(runtime),
    actor: { type: 'system', job },
    language: DEFAULT_LANGUAGE,
    locale: localeOf(DEFAULT_LANGUAGE),
    translate: (key, params, language = DEFAULT_LANGUAGE) => translate(language, key, params),
    log: runtime.log.child({ job }),
    codes: { attempt: (_, check) => check() },
    client: { address: '', userAgent: '', network: '', isKnownDevice: false, channel: 'web' },
    sessions: {
      open: (userId) => runtime.sessions.start(userId, { channel: 'web', userAgent: '', country: null }),
      close: async () => {},
      pendingLogIn: null,
      announceEnded: () => runtime.sessions.refresh(),
      workFor: async () => {},
      remember: async () => {},
    },
  };
}

type BaseCtx = Pick<
  Ctx,
  'db' | 'queue' | 'ports' | 'urls' | 'recorders' | 'content' | 'settings' | 'bank' | 'vault' | 'now' | 'reach'
>;

/** The parts of a context that do not depend on the request. */
export function baseCtx({
  db,
  queue,
  ports,
  urls,
  recorders,
  content,
  settings,
  bank,
  vault,
  now,
  reach,
}: Runtime): BaseCtx {
  return { db, queue, ports, urls, recorders, content, settings, bank, vault, now, reach };
}
