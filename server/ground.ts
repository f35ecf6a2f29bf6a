import path from 'node:path';
import { createDb } from '~/db/client';
import { startEmbedded } from '~/db/embedded';
import { runMigrations } from '~/db/migrate';
import { createBoss, createQueue, createQueues } from '~/jobs/queue';
import { type ChosenFarEnds, chooseFarEnds } from './adapters/chosen';
import { createSessions } from './auth/sessions';
import { listensDrained } from './domain/listening/counting';
import { deliveriesDrained } from './domain/listening/downloads';
import type { Env } from './env';
import { createRateLimits } from './http/rate-limits';
import type { Log } from './log';
import { keptSecret } from './secret';
import { SECONDS } from './time';
import { makeUrls } from './urls';
import type { World } from './world';

const MIGRATIONS = 'db/migrations';
/** Connections of one process besides those of the queue. */
const CONNECTIONS = 10;
/** Running jobs get this long to finish; what does not is tried again by another worker. */
const LAST_JOBS = SECONDS(20);

export type Ground = {
  world: World;
  databaseUrl: string;
  inbox: ChosenFarEnds['inbox'];
  stripeSandbox: ChosenFarEnds['stripeSandbox'];
  /** Running jobs finish, what was counted is written, and the embedded server stops with its last user. */
  close(): Promise<void>;
};

/** What web and worker stand on: the database at its newest migration, the queue, the far ends. */
export async function openGround(env: Env, log: Log, role: { works: boolean }): Promise<Ground> {
  const embedded = env.databaseUrl ? null : await startEmbedded({ dir: path.join(env.dataDir, 'postgres') });
  const databaseUrl = env.databaseUrl ?? embedded?.url ?? '';
  await runMigrations(databaseUrl, path.resolve(MIGRATIONS));
  const { db, client, close } = createDb(databaseUrl, { max: CONNECTIONS });
  const boss = createBoss(databaseUrl, { works: role.works, onError: (err) => log.error({ err }, 'queue') });
  await boss.start();
  await createQueues(boss);
  const secret = env.secret ?? (await keptSecret(env.dataDir));
  const urls = makeUrls(env.urls);
  const farEnds = await chooseFarEnds(env, { databaseUrl, urls, log });
  const { hostname, protocol } = new URL(env.urls.appUrl);
  const world: World = {
    db,
    queue: createQueue(boss),
    far: farEnds.far,
    urls,
    log,
    sessions: createSessions(db),
    rateLimits: await createRateLimits(client, { secret, log }),
    cookies: { appHost: hostname, secure: protocol === 'https:' },
    secret,
    stripePublishableKey: env.stripePublishableKey,
    now: () => new Date(),
  };
  return {
    world,
    databaseUrl,
    inbox: farEnds.inbox,
    stripeSandbox: farEnds.stripeSandbox,
    async close() {
      await boss.stop({ graceful: true, wait: true, timeout: LAST_JOBS });
      await Promise.all([listensDrained({ db }), deliveriesDrained({ db })]);
      await farEnds.close();
      await close();
      await embedded?.stop();
    },
  };
}
