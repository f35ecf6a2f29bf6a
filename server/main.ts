import { isLateWrite } from '~/db/driver/lost-connection';
import { toLoggableError } from './base/loggable-error';
import { type Env, readEnv } from './env/read';
import { SettingError } from './env/setting-error';
import { assertPortFree } from './runtime/free-port';
import { announceReady } from './runtime/greeting';
import { type OpenRuntime, openRuntime } from './runtime/open-runtime';
import { showProgress } from './runtime/progress';
import { type Close, type Stopping, stopOnSignal } from './runtime/stopping';
import { collectStart, limitHeapGrowth } from './watching/heap-growth';
import { bufferedLines, createLog, type Log } from './watching/log';

const flags = new Set(process.argv.slice(2));

/**
 * `--worker` runs jobs only; `--export-creator` and `--import-creator` write and read a creator's backup; `--backup`
 * and `--restore` write and read the installation's; `--admin` runs a command of operators; `--dev` reloads pages when
 * their source changes.
 */
async function start(env: Env): Promise<void> {
  if (flags.has('--admin')) return administer(env);
  // first, because a restore has an option `--backup` as well
  if (flags.has('--restore')) return restore(env);
  if (flags.has('--backup')) return backUp(env);
  if (flags.has('--export-creator') || flags.has('--import-creator')) return moveCreator(env);
  limitHeapGrowth();
  const log = createLog(
    env.logLevel,
    env.production ? bufferedLines() : (await import('./watching/readable-log')).readableLines(),
  );
  for (const warning of env.warnings) log.warn({}, warning);
  const stopping = stopOnSignal(env, log);
  followSupervisor();
  surviveLateWrites(log);
  try {
    await openProcess(env, log, stopping);
  } catch (error) {
    // a part that starts while the others are closed fails; the process ends with the right code
    if (stopping.signal.aborted) return;
    await stopping.closeAll();
    throw error;
  }
}

async function openProcess(env: Env, log: Log, stopping: Stopping): Promise<void> {
  const serves = !flags.has('--worker');
  if (serves) await assertPortFree(env);
  const runsJobs = !serves || env.worker === 'inline';
  const opening = openRuntime(env, log, { runsJobs, stopping: stopping.signal });
  stopping.parts.push(closeOnceOpen(opening));
  // loading the code takes as long as starting the database, so both run at once
  const [opened, web, worker] = await Promise.all([
    opening,
    serves ? loadWeb() : null,
    runsJobs ? import('~/jobs/worker') : null,
  ]);
  stopping.signal.throwIfAborted();
  await worker?.startWorker(opened.jobsRuntime);
  if (worker) warnOfMail(env, log);
  if (web) return serve({ env, opened, stopping }, web);
  await openWorkerPort(env, opened, stopping);
  reportReady();
  log.info({}, 'worker ready');
}

async function loadWeb() {
  const web = await import('./web');
  if (!flags.has('--dev')) await web.loadPages();
  return web;
}

type Serving = { env: Env; opened: OpenRuntime; stopping: Stopping };

/** Serves pages first, then creates a missing demo, and says where the site is last. */
async function serve({ env, opened, stopping }: Serving, { startWeb }: typeof import('./web')): Promise<void> {
  const { runtime } = opened;
  const demo = env.seedDemo ? (await import('./runtime/demo')).openDemo(opened) : null;
  if (demo) stopping.parts.push(demo.close);
  await demo?.look();
  // a part that opens after everything was closed would stay open
  stopping.signal.throwIfAborted();
  const preparesDemo = () => demo?.isPreparing() ?? false;
  const starting = startWeb(env, opened, { development: flags.has('--dev'), preparesDemo });
  stopping.parts.push(closeOnceOpen(starting));
  await starting;
  // a signal during this closes everything: the demo must not start meanwhile
  stopping.signal.throwIfAborted();
  reportReady();
  const text = `${runtime.urls.app('/')} answers, and its demo is being prepared`;
  if (preparesDemo()) await demo?.prepare(showProgress(runtime.log, text));
  await demo?.close();
  if (!stopping.signal.aborted) announceReady(env, runtime, demo?.isComplete() ?? false);
}

/** Also closes a part that is still opening; a failed opening cleans up after itself. */
function closeOnceOpen(opening: Promise<{ close: Close }>): Close {
  return (options) =>
    opening.then(
      ({ close }) => close(options),
      () => {},
    );
}

/** Runs in the background: the mail server may be away while pages work, and emails are retried for a day. */
function warnOfMail({ mail: { smtpUrl } }: Env, log: Log): void {
  if (!smtpUrl) return;
  void import('./adapters/mail/smtp')
    .then(({ checkSmtp }) => checkSmtp(smtpUrl))
    .catch((err) => log.warn({ err }, 'SMTP_URL: the server does not accept a connection, emails wait'));
}

/** Answers probes until the last job has ended. */
async function openWorkerPort(env: Env, { jobsRuntime }: OpenRuntime, { parts }: Stopping): Promise<void> {
  if (env.workerPort === null) return;
  const { startWorkerPort } = await import('./runtime/worker-port');
  const { close, announceStop } = await startWorkerPort(env, jobsRuntime, env.workerPort);
  parts.unshift(close);
  parts.push(announceStop);
}

/** Every uncaught exception ends the process, except the driver's write to a lost connection. */
function surviveLateWrites(log: Log): void {
  process.on('uncaughtException', (err) => {
    if (isLateWrite(err)) log.warn({ err }, 'the database driver wrote to a lost connection');
    // `closeWithGrace` handles it and stops the process
    else process.emit('unhandledRejection', err, Promise.resolve());
  });
}

/** Run by operators. */
async function moveCreator(env: Env): Promise<void> {
  const { runMove } = await import('./runtime/moving-creators');
  process.exit(await runMove(env, createLog('error'), process.argv.slice(2)));
}

/** Run by operators. */
async function administer(env: Env): Promise<void> {
  const { runAdmin } = await import('./admin/run-admin');
  process.exit(await runAdmin(env, createLog('error'), process.argv.slice(2)));
}

/** Run by operators. */
async function backUp(env: Env): Promise<void> {
  const { runBackup } = await import('./backup/run-backup');
  process.exit(await runBackup(env, process.argv.slice(2)));
}

/** Run by operators. */
async function restore(env: Env): Promise<void> {
  const { runRestore } = await import('./backup/run-restore');
  process.exit(await runRestore(env, process.argv.slice(2)));
}

/** Without the supervisor, this process stops too. */
function followSupervisor(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

/** Tells the supervisor that it should restart the process after a crash from now on. The start has ended. */
function reportReady(): void {
  process.send?.('ready');
  collectStart();
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
  await start(readEnv({ isAdmin: flags.has('--admin') }));
} catch (error) {
  exitWithError(error);
}
