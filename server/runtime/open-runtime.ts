import path from 'node:path';
import type { Sql } from 'postgres';
import { createDb, type DatabaseAddress } from '~/db/client';
import { deadlineFor } from '~/db/driver/deadline';
import { watchDatabase } from '~/db/driver/watch';
import { startEmbedded } from '~/db/embedded';
import { runMigrations, withCreationLock } from '~/db/migrate';
import type { MailPort } from '../adapters/mail/port';
import { createDevices } from '../auth/devices';
import { createSessions } from '../auth/sessions';
import { createVault } from '../auth/vault';
import { pick } from '../base/fields';
import { SECONDS } from '../base/time';
import { makeUrls } from '../base/urls';
import { openRecorders } from '../domain/listening/recorders';
import type { Env } from '../env/read';
import { createRateLimits } from '../flow/rate-limits';
import { createUploadLocks } from '../flow/upload-locks';
import { createBoss, createQueue, createQueues, queuePool } from '../queue/queue';
import type { Log } from '../watching/log';
import { createMeters, type Meters } from '../watching/meters';
import { warnOfStarvation } from '../watching/starved-pool';
import { tracedPort } from '../watching/tracing/ports';
import type { Tracing } from '../watching/tracing/tracing';
import { watchAgentsFile } from './agents-file';
import { assertDatabase, assertDataDir } from './check-start';
import { OWN_CONTENT, openContent } from './content-folders';
import type { Ports } from './ctx';
import { processorsOf } from './processors';
import type { Runtime } from './runtime';
import { passSeam } from './seams';
import { ensureSecret } from './secret';
import { type SelectedPorts, selectPorts } from './select-ports';

export const MIGRATIONS = 'db/migrations';
/** Database connections of one process, for requests and again for jobs, in addition to those of the queue. */
const CONNECTIONS = 10;
/** A second connection serves while the last upload of the first one ends. */
const LOCK_CONNECTIONS = 2;
/** Time for running jobs to finish at shutdown; another worker retries unfinished jobs. */
const JOB_GRACE_PERIOD = SECONDS(20);

/** `afterError`: no grace period, and the embedded server keeps running for the process that takes over. */
export type CloseOptions = { afterError?: boolean };

export type OpenRuntime = {
  runtime: Runtime;
  /** The runtime for jobs, with connections for statements that may take longer. */
  jobsRuntime: Runtime;
  /** The URL of the database without a pooler in between. */
  directUrl: string;
  inbox: SelectedPorts['inbox'];
  stripeSandbox: SelectedPorts['stripeSandbox'];
  identitySandbox: SelectedPorts['identitySandbox'];
  spotifySandbox: SelectedPorts['spotifySandbox'];
  dnsZone: SelectedPorts['dnsZone'];
  /**
   * Waits for running jobs, writes the rows that recorders hold, and stops the embedded server unless another process
   * uses it.
   */
  close(options?: CloseOptions): Promise<void>;
};

type Role = {
  runsJobs: boolean;
  /** Ends an opening in progress. */
  stopping?: AbortSignal;
};

/** Opens what web and worker share: the migrated database, the queue and the ports. @throws the reason of `stopping` */
export async function openRuntime(env: Env, log: Log, role: Role): Promise<OpenRuntime> {
  const { runsJobs, stopping } = role;
  await assertDataDir(env.dataDir);
  await assertDatabase(env.database);
  const database = await openDatabase(env, stopping);
  const { address } = database;
  const tracing = await startTracing(env);
  const pools = openPools(address, { log, tracing });
  const meters = createMeters();
  const urls = makeUrls(env.urls);
  const secret = env.secret ?? (await ensureSecret(env.dataDir));
  const creating = createAlone(address.directUrl, log, async (holder) => {
    await runMigrations(address.directUrl, path.resolve(MIGRATIONS), stopping);
    return Promise.all([
      startQueue(address.url, log, runsJobs),
      selectPorts(env, {
        database: address,
        urls,
        log,
        webhooks: { port: env.port, secret },
        ...pick(pools.web, ['client', 'db']),
      }),
      createRateLimits(pools.web.client, { secret, log, holder }),
    ]);
  });
  const [boss, selected, rateLimits] = await creating.catch(async (error) => {
    await pools.close();
    await database.stop();
    throw error;
  });
  const stopWatchingAgents = watchAgentsFile(env.agentsFile, log);
  const { db } = pools.web;
  meters.addPool('web', pools.web.use);
  meters.addPool('jobs', pools.jobs.use);
  meters.addPool('queue', () => queuePool(boss));
  const { hostname, protocol } = new URL(env.urls.appUrl);
  const runtime: Runtime = {
    db,
    queue: createQueue(boss),
    ports: tracedPorts({ ...selected.ports, mail: countedMail(selected.ports.mail, meters) }, tracing),
    sessions: createSessions(db),
    rateLimits,
    devices: createDevices(secret),
    vault: createVault(secret),
    bank: env.bank,
    recorders: openRecorders(db, { isShipped: selected.ports.statistics.store !== null }),
    content: openContent({ folders: [path.resolve(OWN_CONTENT), ...(env.contentDir ? [env.contentDir] : [])], log }),
    uploadLocks: createUploadLocks(pools.locks.client, log),
    cookies: { appHost: hostname, secure: protocol === 'https:' },
    settings: {
      ...pick(env, ['stripePublishableKey', 'gtmId', 'homeShows', 'servesWorker', 'sharedFeeds', 'webSubHub']),
      takesPayments: env.payments.provider !== 'none',
      convertsAudio: env.ffmpegPath !== null,
      processors: processorsOf(env),
      transcribes: env.transcription !== null,
      suggests: env.languageModel !== null,
      dmarcReportsTo: env.mail.dmarcReportsTo,
      inboundServerId: env.inboundMail.serverId,
      ...env.support,
    },
    log,
    meters,
    tracing,
    urls,
    now: () => new Date(),
    reach: passSeam,
  };
  return {
    runtime,
    jobsRuntime: { ...runtime, db: pools.jobs.db, ports: inBackground(runtime.ports) },
    directUrl: address.directUrl,
    inbox: selected.inbox,
    stripeSandbox: selected.stripeSandbox,
    identitySandbox: selected.identitySandbox,
    spotifySandbox: selected.spotifySandbox,
    dnsZone: selected.dnsZone,
    async close({ afterError = false } = {}) {
      stopWatchingAgents();
      await boss.stop({ graceful: true, wait: true, timeout: JOB_GRACE_PERIOD });
      await runtime.recorders.drained();
      await selected.close();
      await pools.close();
      if (!afterError) await database.stop();
      await tracing?.close();
    },
  };
}

/** Connections are opened on demand. */
function openPools({ url, directUrl, prepare }: DatabaseAddress, { log, tracing }: Pick<Runtime, 'log' | 'tracing'>) {
  const onStatement = tracing?.statement;
  const options = { max: CONNECTIONS, prepare, isPooled: !prepare || url !== directUrl, onStatement };
  const open = (pool: 'web' | 'jobs') => {
    const purpose = `altavoz-${pool}` as const;
    return createDb(url, {
      ...options,
      purpose,
      deadline: deadlineFor(purpose),
      onStarved: warnOfStarvation(log, pool),
    });
  };
  const [web, jobs] = [open('web'), open('jobs')];
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

/** The packages are loaded only if the operator has enabled traces. */
async function startTracing({ tracing, trustedProxies }: Env): Promise<Tracing | null> {
  if (tracing === null) return null;
  const { openTracing } = await import('../watching/tracing/open-tracing');
  return openTracing(tracing, { trusted: trustedProxies > 0 });
}

function tracedPorts(ports: Ports, tracing: Tracing | null): Ports {
  if (tracing === null) return ports;
  const { payments, mail, storage, fetcher, identity, vatNumbers, spotify } = ports;
  return {
    ...ports,
    payments: tracedPort(tracing, 'payments', payments),
    mail: tracedPort(tracing, 'mail', mail),
    storage: tracedPort(tracing, 'storage', storage),
    fetcher: tracedPort(tracing, 'fetcher', fetcher),
    identity: tracedPort(tracing, 'identity', identity),
    vatNumbers: tracedPort(tracing, 'vatNumbers', vatNumbers),
    spotify: tracedPort(tracing, 'spotify', spotify),
  };
}

/** Nobody waits for a job: its calls to the payment provider let those of pages pass. */
const inBackground = (ports: Ports): Ports => ({ ...ports, payments: ports.payments.inBackground() });

function countedMail(mail: MailPort, meters: Meters): MailPort {
  return {
    ...mail,
    async send(email) {
      let outcome: 'sent' | 'failed' = 'failed';
      try {
        await mail.send(email);
        outcome = 'sent';
      } finally {
        meters.emailEnded(outcome);
      }
    },
  };
}

/** Runs `create` while no other process creates anything in this database. */
export function createAlone<T>(directUrl: string, log: Log, create: (holder: Sql) => Promise<T>): Promise<T> {
  const onWait = () => log.info({}, 'waiting for another process that is migrating');
  return withCreationLock(directUrl, { create, onWait });
}

/** Connects to the configured Postgres or starts the embedded one. */
export async function openDatabase(
  env: Pick<Env, 'database' | 'dataDir'>,
  stopping?: AbortSignal,
): Promise<{ address: DatabaseAddress; stop(): Promise<unknown> }> {
  const { url, directUrl, prepare } = env.database;
  if (url) return { address: { url, directUrl: directUrl ?? url, prepare }, stop: async () => {} };
  const embedded = await startEmbedded({ dir: path.join(env.dataDir, 'postgres'), stopping });
  return { address: { url: embedded.url, directUrl: embedded.url, prepare }, stop: embedded.stop };
}

async function startQueue(url: string, log: Log, runsJobs: boolean) {
  const boss = createBoss(url, { runsJobs, onError: (err) => log.error({ err }, 'job queue error') });
  await boss.start();
  await createQueues(boss);
  return boss;
}
