import closeWithGrace from 'close-with-grace';
import { type Env, readEnv } from './env/read';
import { SettingError } from './env/setting-error';
import { greeting } from './greeting';
import { createLog } from './log';
import { openRuntime } from './open-runtime';
import { SECONDS } from './time';

/** Longer than requests and jobs get to finish, one after the other. */
const PATIENCE = SECONDS(45);

const flags = new Set(process.argv.slice(2));

/** `--worker`: a worker alone. `--dev`: pages reload as they are saved. Else what the settings say. */
async function start(env: Env): Promise<void> {
  const log = createLog(env.logLevel);
  const serves = !flags.has('--worker');
  const works = !serves || env.worker === 'inline';
  // loading code takes as long as waking the database: both at once
  const [opened, web, worker] = await Promise.all([
    openRuntime(env, log, { runsJobs: works }),
    serves ? import('./web') : null,
    works ? import('~/jobs/worker') : null,
  ]);
  const closing = [opened.close];
  // a signal may come while a failed start is being undone: each is closed once
  const closeAll = async () => {
    for (let close = closing.pop(); close; close = closing.pop()) await close();
  };
  closeWithGrace({ delay: PATIENCE, logger: false }, async ({ err, signal }) => {
    if (err) log.error({ err }, 'stopping after an error nobody handled');
    else log.info({ signal }, 'stopping');
    await closeAll();
  });
  try {
    await worker?.startWorker(opened.runtime);
    if (!web) return log.info({}, 'worker ready');
    if (env.seedDemo) await (await import('./seed/demo')).seedDemo(opened.runtime);
    closing.push((await web.startWeb(env, opened, { development: flags.has('--dev') })).close);
    process.stdout.write(greeting(env, opened.runtime));
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** A setting that is wrong is said in one line; anything else with all there is to know. */
function giveUp(error: unknown): never {
  const isSetting = error instanceof SettingError;
  process.stderr.write(
    isSetting ? `Altavoz can't start: ${error.message}\n` : `${error instanceof Error ? error.stack : error}\n`,
  );
  process.exit(1);
}

try {
  await start(readEnv());
} catch (error) {
  giveUp(error);
}
