import path from 'node:path';
import { createDb } from '~/db/client';
import { startEmbedded } from '~/db/embedded';
import { runMigrations, withCreationLock } from '~/db/migrate';
import { createBoss, createQueue, createQueues } from '~/jobs/queue';
import { type SelectedPorts, selectPorts } from './adapters/select-ports';
import { createDevices } from './auth/devices';
import { createSessions } from './auth/sessions';
import { openRecorders } from './domain/listening/recorders';
import type { Env } from './env/read';
import { createRateLimits } from './http/rate-limits';
import type { Log } from './log';
import type { Runtime } from './runtime';
import { ensureSecret } from './secret';
import { SECONDS } from './time';
import { makeUrls } from './urls';

const MIGRATIONS = 'db/migrations';
/** Database connections of one process, in addition to those of the queue. */
const CONNECTIONS = 10;
/** Time for running jobs to finish at shutdown; another worker retries the ones that don't. */
const JOB_GRACE_PERIOD = SECONDS(20);

/** `afterError`: no grace period, and the embedded server keeps running for the process that takes over. */
export type CloseOptions = { afterError?: boolean };

export type OpenRuntime = {
  runtime: Runtime;
  databaseUrl: string;
  inbox: SelectedPorts['inbox'];
  stripeSandbox: SelectedPorts['stripeSandbox'];
  /**
   * Waits for running jobs, writes what the recorders hold, and stops the embedded server unless another process uses
   * it.
   */
  close(options?: CloseOptions): Promise<void>;
};

/** Opens what web and worker share: the migrated database, the queue and the ports. */
export async function openRuntime(env: Env, log: Log, role: { runsJobs: boolean }): Promise<OpenRuntime> {
  const database = await openDatabase(env);
  const { url: databaseUrl } = database;
  const { db, client, close } = createDb(databaseUrl, {
    max: CONNECTIONS,
    onAvailability: (isUp) => log.warn({}, isUp ? 'database answers again' : 'database does not answer'),
  });
  const urls = makeUrls(env.urls);
  const secret = env.secret ?? (await ensureSecret(env.dataDir));
  const creating = createAlone(databaseUrl, log, async () => {
    await runMigrations(databaseUrl, path.resolve(MIGRATIONS));
    return Promise.all([
      startQueue(databaseUrl, log, role.runsJobs),
      selectPorts(env, { databaseUrl, urls, log }),
      createRateLimits(client, { secret, log }),
    ]);
  });
  const [boss, selected, rateLimits] = await creating.catch(async (error) => {
    await database.stop();
    throw error;
  });
  const queue = createQueue(boss);
  const { hostname, protocol } = new URL(env.urls.appUrl);
  const cookies = { appHost: hostname, secure: protocol === 'https:' };
  const sessions = createSessions(db);
  const devices = createDevices(secret);
  const recorders = openRecorders(db);
  const settings = { stripePublishableKey: env.stripePublishableKey, homeShows: env.homeShows };
  const fixed = { log, urls, cookies, settings, now: () => new Date() };
  return {
    runtime: { db, queue, ports: selected.ports, sessions, rateLimits, devices, recorders, ...fixed },
    databaseUrl,
    inbox: selected.inbox,
    stripeSandbox: selected.stripeSandbox,
    async close({ afterError = false } = {}) {
      await boss.stop({ graceful: true, wait: true, timeout: JOB_GRACE_PERIOD });
      await recorders.drained();
      await selected.close();
      await close();
      if (!afterError) await database.stop();
    },
  };
}

/** Runs `create` while no other process creates anything in this database. */
export function createAlone<T>(databaseUrl: string, log: Log, create: () => Promise<T>): Promise<T> {
  const onWait = () => log.info({}, 'waiting for another process that is migrating');
  return withCreationLock(databaseUrl, { create, onWait });
}

/** Connects to the configured Postgres or starts the embedded one. */
async function openDatabase(env: Env): Promise<{ url: string; stop(): Promise<unknown> }> {
  const embedded = env.databaseUrl ? null : await startEmbedded({ dir: path.join(env.dataDir, 'postgres') });
  return { url: env.databaseUrl ?? embedded?.url ?? '', stop: async () => embedded?.stop() };
}

async function startQueue(url: string, log: Log, runsJobs: boolean) {
  const boss = createBoss(url, { runsJobs, onError: (err) => log.error({ err }, 'job queue error') });
  await boss.start();
  await createQueues(boss);
  return boss;
}
