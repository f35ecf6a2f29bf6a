import closeWithGrace from 'close-with-grace';
import { isLateWrite } from '~/db/lost-connection';
import { type Env, readEnv } from './env/read';
import { SettingError } from './env/setting-error';
import { assertPortFree } from './free-port';
import { greeting } from './greeting';
import { limitHeapGrowth } from './heap-growth';
import { bufferedLines, createLog, type Log } from './log';
import { toLoggableError } from './loggable-error';
import { type CloseOptions, createAlone, type OpenRuntime, openRuntime } from './open-runtime';
import { SECONDS } from './time';

/** Longer than the grace periods of requests and jobs together. */
const SHUTDOWN_TIMEOUT = SECONDS(45);

const flags = new Set(process.argv.slice(2));

/**
 * `--worker` runs jobs only; `--export-creator` and `--import-creator` write and read the archive of a creator; `--backup`
 * and `--restore` those of the installation; `--admin` runs a command of operators; `--dev` reloads pages when their source
 * changes.
 */
async function start(env: Env): Promise<void> {
  if (flags.has('--admin')) return administer(env);
  // its `--backup` names one
  if (flags.has('--restore')) return restore(env);
  if (flags.has('--backup')) return backUp(env);
  if (flags.has('--export-creator') || flags.has('--import-creator')) return moveCreator(env);
  limitHeapGrowth();
  const log = createLog(
    env.logLevel,
    env.production ? bufferedLines() : (await import('./readable-log')).readableLines(),
  );
  for (const warning of env.warnings) log.warn({}, warning);
  const serves = !flags.has('--worker');
  if (serves) await assertPortFree(env);
  const runsJobs = !serves || env.worker === 'inline';
  // loading the code takes as long as starting the database, so both run at once
  const [opened, web, worker] = await Promise.all([
    openRuntime(env, log, { runsJobs }),
    serves ? import('./web') : null,
    runsJobs ? import('~/jobs/worker') : null,
  ]);
  const closing: OpenRuntime['close'][] = [opened.close];
  // a signal can arrive while a failed start is cleaned up: close each part once
  const closeAll = async (options?: CloseOptions) => {
    for (let close = closing.pop(); close; close = closing.pop()) await close(options);
  };
  const grace = {
    delay: SHUTDOWN_TIMEOUT + env.stopGrace,
    logger: false as const,
    skip: ['uncaughtException' as const],
  };
  let isStopping = false;
  closeWithGrace(grace, async ({ err, signal }) => {
    isStopping = true;
    if (err) log.error({ err }, 'stopping after an unhandled error');
    else log.info({ signal }, 'stopping');
    // the supervisor restarts this process after an error (docs/decisions/0086)
    await closeAll({ afterError: err !== undefined });
  });
  surviveLateWrites(log);
  try {
    await worker?.startWorker(opened.jobsRuntime);
    if (worker) warnOfMail(env, log);
    if (!web) await openWorkerPort(env, opened, closing);
    if (!web) return reportReady(() => log.info({}, 'worker ready'));
    if (env.seedDemo) await seed(opened, log);
    closing.push((await web.startWeb(env, opened, { development: flags.has('--dev') })).close);
    reportReady(() => process.stdout.write(greeting(env, opened.runtime)));
  } catch (error) {
    // what starts while the rest is closed fails; closeWithGrace ends the process with the right code
    if (isStopping) return;
    await closeAll();
    throw error;
  }
}

/** In the background: mail may be away while pages work, and what can't be sent is tried again for a day. */
function warnOfMail({ mail: { smtpUrl } }: Env, log: Log): void {
  if (!smtpUrl) return;
  void import('./adapters/mail/smtp')
    .then(({ checkSmtp }) => checkSmtp(smtpUrl))
    .catch((err) => log.warn({ err }, 'SMTP_URL: the server does not accept a connection, emails wait'));
}

/** Its probes are answered until the last job has ended. */
async function openWorkerPort(env: Env, { jobsRuntime }: OpenRuntime, closing: OpenRuntime['close'][]): Promise<void> {
  if (env.workerPort === null) return;
  const { startWorkerPort } = await import('./worker-port');
  const { close, announceStop } = await startWorkerPort(env, jobsRuntime, env.workerPort);
  closing.unshift(close);
  closing.push(announceStop);
}

/** Every uncaught exception ends the process, except the driver's write to a lost connection. */
function surviveLateWrites(log: Log): void {
  process.on('uncaughtException', (err) => {
    if (isLateWrite(err)) log.warn({ err }, 'the database driver wrote to a lost connection');
    // closeWithGrace stops for it
    else process.emit('unhandledRejection', err, Promise.resolve());
  });
}

/** For operators. */
async function moveCreator(env: Env): Promise<void> {
  const { runMove } = await import('./moving-creators');
  process.exit(await runMove(env, createLog('error'), process.argv.slice(2)));
}

/** For operators. */
async function administer(env: Env): Promise<void> {
  const { runAdmin } = await import('./admin/run-admin');
  process.exit(await runAdmin(env, createLog('error'), process.argv.slice(2)));
}

/** For operators. */
async function backUp(env: Env): Promise<void> {
  const { runBackup } = await import('./backup/run-backup');
  process.exit(await runBackup(env, process.argv.slice(2)));
}

/** For operators. */
async function restore(env: Env): Promise<void> {
  const { runRestore } = await import('./backup/run-restore');
  process.exit(await runRestore(env, process.argv.slice(2)));
}

/** Alone, because two processes that start together would both create the demo creators. */
async function seed({ directUrl, runtime, stripeSandbox }: OpenRuntime, log: Log): Promise<void> {
  const [{ seedDemo }, { CAST }, { paymentsOf }] = await Promise.all([
    import('./seed/demo'),
    import('./seed/cast'),
    import('./seed/paying'),
  ]);
  await createAlone(directUrl, log, () => seedDemo(runtime, CAST, paymentsOf(stripeSandbox)));
}

/** Tells the supervisor that a crash from now on is worth a restart. Without the supervisor, this process stops too. */
function reportReady(announce: () => void): void {
  announce();
  if (!process.send) return;
  process.send('ready');
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

/** Prints one line for a wrong setting, and the stack for anything else. */
function exitWithError(error: unknown): never {
  const isSetting = error instanceof SettingError;
  process.stderr.write(isSetting ? `Altavoz can't start: ${error.message}\n` : `${stackOf(error)}\n`);
  process.exit(1);
}

function stackOf(error: unknown): unknown {
  return error instanceof Error ? toLoggableError(error).stack : error;
}

try {
  await start(readEnv());
} catch (error) {
  exitWithError(error);
}
