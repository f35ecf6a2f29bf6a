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
  const database = await openDatabase(env);
  const { url: databaseUrl } = database;
  const { db, client, close } = createDb(databaseUrl, { max: CONNECTIONS });
  const urls = makeUrls(env.urls);
  const secret = env.secret ?? (await keptSecret(env.dataDir));
  const [boss, farEnds, rateLimits] = await Promise.all([
    startQueue(databaseUrl, log, role.works),
    chooseFarEnds(env, { databaseUrl, urls, log }),
    createRateLimits(client, { secret, log }),
  ]);
  const queue = createQueue(boss);
  const { hostname, protocol } = new URL(env.urls.appUrl);
  const cookies = { appHost: hostname, secure: protocol === 'https:' };
  const sessions = createSessions(db);
  const { stripePublishableKey } = env;
  const fixed = { log, urls, cookies, stripePublishableKey, now: () => new Date() };
  return {
    world: { db, queue, far: farEnds.far, sessions, rateLimits, ...fixed },
    databaseUrl,
    inbox: farEnds.inbox,
    stripeSandbox: farEnds.stripeSandbox,
    async close() {
      await boss.stop({ graceful: true, wait: true, timeout: LAST_JOBS });
      await Promise.all([listensDrained({ db }), deliveriesDrained({ db })]);
      await farEnds.close();
      await close();
      await database.stop();
    },
  };
}

/** The operator's Postgres, or the embedded one; at the newest migration. */
async function openDatabase(env: Env): Promise<{ url: string; stop(): Promise<unknown> }> {
  const embedded = env.databaseUrl ? null : await startEmbedded({ dir: path.join(env.dataDir, 'postgres') });
  const url = env.databaseUrl ?? embedded?.url ?? '';
  const stop = async () => embedded?.stop();
  await runMigrations(url, path.resolve(MIGRATIONS)).catch(async (error) => {
    await stop();
    throw error;
  });
  return { url, stop };
}

async function startQueue(url: string, log: Log, works: boolean) {
  const boss = createBoss(url, { works, onError: (err) => log.error({ err }, 'queue') });
  await boss.start();
  await createQueues(boss);
  return boss;
}
