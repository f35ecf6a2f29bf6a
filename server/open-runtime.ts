import path from 'node:path';
import { createDb } from '~/db/client';
import { startEmbedded } from '~/db/embedded';
import { runMigrations } from '~/db/migrate';
import { createBoss, createQueue, createQueues } from '~/jobs/queue';
import { type SelectedPorts, selectPorts } from './adapters/select-ports';
import { createSessions } from './auth/sessions';
import { listensDrained } from './domain/listening/counting';
import { deliveriesDrained } from './domain/listening/downloads';
import type { Env } from './env/read';
import { createRateLimits } from './http/rate-limits';
import type { Log } from './log';
import type { Runtime } from './runtime';
import { keptSecret } from './secret';
import { SECONDS } from './time';
import { makeUrls } from './urls';

const MIGRATIONS = 'db/migrations';
/** Connections of one process besides those of the queue. */
const CONNECTIONS = 10;
/** Running jobs get this long to finish; what does not is tried again by another worker. */
const LAST_JOBS = SECONDS(20);

export type OpenRuntime = {
  runtime: Runtime;
  databaseUrl: string;
  inbox: SelectedPorts['inbox'];
  stripeSandbox: SelectedPorts['stripeSandbox'];
  /** Running jobs finish, what was counted is written, and the embedded server stops with its last user. */
  close(): Promise<void>;
};

/** What web and worker stand on: the database at its newest migration, the queue, the far ends. */
export async function openRuntime(env: Env, log: Log, role: { works: boolean }): Promise<OpenRuntime> {
  const database = await openDatabase(env);
  const { url: databaseUrl } = database;
  const { db, client, close } = createDb(databaseUrl, { max: CONNECTIONS });
  const urls = makeUrls(env.urls);
  const secret = env.secret ?? (await keptSecret(env.dataDir));
  const [boss, selected, rateLimits] = await Promise.all([
    startQueue(databaseUrl, log, role.works),
    selectPorts(env, { databaseUrl, urls, log }),
    createRateLimits(client, { secret, log }),
  ]);
  const queue = createQueue(boss);
  const { hostname, protocol } = new URL(env.urls.appUrl);
  const cookies = { appHost: hostname, secure: protocol === 'https:' };
  const sessions = createSessions(db);
  const { stripePublishableKey } = env;
  const fixed = { log, urls, cookies, stripePublishableKey, now: () => new Date() };
  return {
    runtime: { db, queue, ports: selected.far, sessions, rateLimits, ...fixed },
    databaseUrl,
    inbox: selected.inbox,
    stripeSandbox: selected.stripeSandbox,
    async close() {
      await boss.stop({ graceful: true, wait: true, timeout: LAST_JOBS });
      await Promise.all([listensDrained({ db }), deliveriesDrained({ db })]);
      await selected.close();
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
