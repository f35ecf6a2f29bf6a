import { createDb } from '~/db/client';
import { measure } from '~/server/audio/peaks';
import { createDevices } from '~/server/auth/devices';
import { createSessions } from '~/server/auth/sessions';
import { createVault } from '~/server/auth/vault';
import { makeUrls } from '~/server/base/urls';
import { openRecorders } from '~/server/domain/listening/recorders';
import { parseEnv } from '~/server/env/read';
import { createRateLimits } from '~/server/flow/rate-limits';
import { createUploadLocks } from '~/server/flow/upload-locks';
import { createBoss, createQueue } from '~/server/queue/queue';
import { OWN_CONTENT, openContent } from '~/server/runtime/content-folders';
import { processorsOf } from '~/server/runtime/processors';
import type { Runtime } from '~/server/runtime/runtime';
import { selectPorts } from '~/server/runtime/select-ports';
import { createLog } from '~/server/watching/log';
import { createMeters } from '~/server/watching/meters';
import { openPauses } from './pauses';

/** The time of every test's clock until the test changes it. */
export const BASE_TIME = new Date('2026-03-02T09:00:00Z');

/**
 * A runtime on a database and a data directory, with storage on disk, email over SMTP into the local inbox, and a fixed
 * clock. Its pool has as many connections as in production, with a timeout long enough for a busy machine.
 */
export async function openTestRuntime(url: string, dataDir: string, settings: Record<string, string> = {}) {
  const { db, client, close } = createDb(url, { patient: true });
  const env = parseEnv({ ...settings, DATA_DIR: dataDir });
  const log = createLog('silent');
  const boss = createBoss(url, { runsJobs: false, onError: () => {} });
  const secret = 'a secret for tests';
  const urls = makeUrls(env.urls);
  const [selected, rateLimits] = await Promise.all([
    selectPorts(env, { database: { url, directUrl: url, prepare: true }, urls, log, webhooks: null, client, db }),
    createRateLimits(client, { secret, log }),
    boss.start(),
  ]);
  const clock = { now: BASE_TIME };
  const pauses = openPauses();
  const runtime: Runtime = {
    db,
    queue: createQueue(boss),
    // without a thread, which would have to compile the engine first; tests/jobs/audio-thread runs the real one
    ports: { ...selected.ports, measureSound: measure },
    urls,
    log,
    meters: createMeters(),
    tracing: null,
    sessions: createSessions(db),
    rateLimits,
    devices: createDevices(secret),
    vault: createVault(secret),
    bank: {
      ...{ iban: 'DE75512108001245126199', bic: null },
      address: { street: 'Calle Mayor 1', postalCode: '28013', town: 'Madrid', country: 'ES' },
    },
    cookies: { appHost: new URL(env.urls.appUrl).hostname, secure: false },
    recorders: openRecorders(db, { isShipped: selected.ports.statistics.store !== null, reach: pauses.reach }),
    content: openContent({ folders: [OWN_CONTENT, ...(env.contentDir ? [env.contentDir] : [])], log }),
    uploadLocks: createUploadLocks(client, log),
    settings: {
      stripePublishableKey: null,
      gtmId: env.gtmId,
      servesWorker: env.servesWorker,
      webSubHub: env.webSubHub,
      sharedFeeds: env.sharedFeeds,
      homeShows: env.homeShows,
      takesPayments: true,
      convertsAudio: env.ffmpegPath !== null,
      processors: processorsOf(env),
      transcribes: env.transcription !== null,
      suggests: env.languageModel !== null,
      dmarcReportsTo: env.mail.dmarcReportsTo,
      inboundServerId: env.inboundMail.serverId,
      ...env.support,
    },
    now: () => clock.now,
    reach: pauses.reach,
  };
  const { inbox, stripeSandbox, identitySandbox, spotifySandbox, dnsZone, transcriberSandbox } = selected;
  return {
    runtime,
    env,
    clock,
    pauseAt: pauses.pauseAt,
    url,
    client,
    inbox,
    stripeSandbox,
    identitySandbox,
    spotifySandbox,
    dnsZone,
    transcriberSandbox,
    async close() {
      pauses.close();
      await selected.close();
      await boss.stop({ graceful: false });
      await close();
    },
  };
}
