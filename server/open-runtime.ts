import path from 'node:path';
import { createDb, type DatabaseAddress } from '~/db/client';
import { startEmbedded } from '~/db/embedded';
import { runMigrations, withCreationLock } from '~/db/migrate';
import { watchDatabase } from '~/db/watch';
import { createBoss, createQueue, createQueues } from '~/jobs/queue';
import { type SelectedPorts, selectPorts } from './adapters/select-ports';
import { createDevices } from './auth/devices';
import { createSessions } from './auth/sessions';
import { createVault } from './auth/vault';
import { openRecorders } from './domain/listening/recorders';
import type { Env } from './env/read';
import { pick } from './fields';
import { createRateLimits } from './http/rate-limits';
import { createUploadLocks } from './http/upload-locks';
import type { Log } from './log';
import type { Runtime } from './runtime';
import { ensureSecret } from './secret';
import { SECONDS } from './time';
import { makeUrls } from './urls';

const MIGRATIONS = 'db/migrations';
/** Database connections of one process, for requests and again for jobs, in addition to those of the queue. */
const CONNECTIONS = 10;
/** A second one while the last upload of the first one ends. */
const LOCK_CONNECTIONS = 2;
/** Time for running jobs to finish at shutdown; another worker retries the ones that don't. */
const JOB_GRACE_PERIOD = SECONDS(20);

/** `afterError`: no grace period, and the embedded server keeps running for the process that takes over. */
export type CloseOptions = { afterError?: boolean };

export type OpenRuntime = {
  runtime: Runtime;
  /** The same runtime on connections for statements that may take longer. */
  jobsRuntime: Runtime;
  /** Of the database without a pooler in between. */
  directUrl: string;
  inbox: SelectedPorts['inbox'];
  stripeSandbox: SelectedPorts['stripeSandbox'];
  identitySandbox: SelectedPorts['identitySandbox'];
  /**
   * Waits for running jobs, writes what the recorders hold, and stops the embedded server unless another process uses
   * it.
   */
  close(options?: CloseOptions): Promise<void>;
};

/** Opens what web and worker share: the migrated database, the queue and the ports. */
export async function openRuntime(env: Env, log: Log, role: { runsJobs: boolean }): Promise<OpenRuntime> {
  const database = await openDatabase(env);
  const { address } = database;
  const pools = openPools(address, log);
  const urls = makeUrls(env.urls);
  const secret = env.secret ?? (await ensureSecret(env.dataDir));
  const creating = createAlone(address.directUrl, log, async () => {
    await runMigrations(address.directUrl, path.resolve(MIGRATIONS));
    return Promise.all([
      startQueue(address.url, log, role.runsJobs),
      selectPorts(env, { database: address, urls, log, webhooks: { port: env.port, secret } }),
      createRateLimits(pools.web.client, { secret, log }),
    ]);
  });
  const [boss, selected, rateLimits] = await creating.catch(async (error) => {
    await database.stop();
    throw error;
  });
  const { db } = pools.web;
  const { hostname, protocol } = new URL(env.urls.appUrl);
  const runtime: Runtime = {
    db,
    queue: createQueue(boss),
    ports: selected.ports,
    sessions: createSessions(db),
    rateLimits,
    devices: createDevices(secret),
    vault: createVault(secret),
    recorders: openRecorders(db),
    uploadLocks: createUploadLocks(pools.locks.client, log),
    cookies: { appHost: hostname, secure: protocol === 'https:' },
    settings: {
      ...pick(env, ['stripePublishableKey', 'gtmId', 'homeShows', 'servesWorker', 'sharedFeeds', 'webSubHub']),
      convertsAudio: env.ffmpegPath !== null,
      ...env.support,
    },
    log,
    urls,
    now: () => new Date(),
  };
  return {
    runtime,
    jobsRuntime: { ...runtime, db: pools.jobs.db },
    directUrl: address.directUrl,
    inbox: selected.inbox,
    stripeSandbox: selected.stripeSandbox,
    identitySandbox: selected.identitySandbox,
    async close({ afterError = false } = {}) {
      await boss.stop({ graceful: true, wait: true, timeout: JOB_GRACE_PERIOD });
      await runtime.recorders.drained();
      await selected.close();
      await pools.close();
      if (!afterError) await database.stop();
    },
  };
}

/** Their connections are opened when they are needed. */
function openPools({ url, directUrl, prepare }: DatabaseAddress, log: Log) {
  const web = createDb(url, { max: CONNECTIONS, prepare, purpose: 'altavoz-web' });
  const jobs = createDb(url, { max: CONNECTIONS, prepare, purpose: 'altavoz-jobs' });
  const locks = createDb(directUrl, { max: LOCK_CONNECTIONS });
  const pools = [web, jobs, locks];
  let wasUp = true;
  const stopWatching = watchDatabase(url, {
    directUrl,
    onAnswer(isUp) {
      for (const pool of pools) pool.report(isUp);
      if (isUp !== wasUp) log.warn({}, isUp ? 'database answers again' : 'database does not answer');
      wasUp = isUp;
    },
  });
  return {
    web,
    jobs,
    locks,
    close: () => Promise.all([...pools.map(({ close }) => close()), stopWatching()]),
  };
}

/** Runs `create` while no other process creates anything in this database. */
export function createAlone<T>(directUrl: string, log: Log, create: () => Promise<T>): Promise<T> {
  const onWait = () => log.info({}, 'waiting for another process that is migrating');
  return withCreationLock(directUrl, { create, onWait });
}

/** Connects to the configured Postgres or starts the embedded one. */
async function openDatabase(env: Env): Promise<{ address: DatabaseAddress; stop(): Promise<unknown> }> {
  const { url, directUrl, prepare } = env.database;
  if (url) return { address: { url, directUrl: directUrl ?? url, prepare }, stop: async () => {} };
  const embedded = await startEmbedded({ dir: path.join(env.dataDir, 'postgres') });
  return { address: { url: embedded.url, directUrl: embedded.url, prepare }, stop: embedded.stop };
}

async function startQueue(url: string, log: Log, runsJobs: boolean) {
  const boss = createBoss(url, { runsJobs, onError: (err) => log.error({ err }, 'job queue error') });
  await boss.start();
  await createQueues(boss);
  return boss;
}
