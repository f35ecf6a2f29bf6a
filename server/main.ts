import closeWithGrace from 'close-with-grace';
import { type Env, readEnv, SettingError } from './env';
import { greeting } from './greeting';
import { type Ground, openGround } from './ground';
import { createLog } from './log';
import { SECONDS } from './time';

/** Longer than requests and jobs get to finish, one after the other. */
const PATIENCE = SECONDS(45);

const flags = new Set(process.argv.slice(2));

/** `--worker`: a worker alone. `--dev`: pages reload as they are saved. Else what the settings say. */
async function start(env: Env): Promise<void> {
  const log = createLog(env.logLevel);
  const workerAlone = flags.has('--worker');
  const works = workerAlone || env.worker === 'inline';
  const ground = await openGround(env, log, { works });
  const closing: (() => Promise<void>)[] = [ground.close];
  closeWithGrace({ delay: PATIENCE, logger: false }, async ({ err, signal }) => {
    if (err) log.error({ err }, 'stopping after an error nobody handled');
    else log.info({ signal }, 'stopping');
    for (const close of closing.reverse()) await close();
  });
  if (works) await (await import('~/jobs/worker')).startWorker(ground.world);
  if (workerAlone) return log.info({}, 'worker ready');
  await serve(env, ground, closing);
}

async function serve(env: Env, ground: Ground, closing: (() => Promise<void>)[]): Promise<void> {
  const { startWeb } = await import('./web');
  if (env.seedDemo) await (await import('./seeding')).seed(ground.world);
  const web = await startWeb(env, ground, { development: flags.has('--dev') });
  closing.push(web.close);
  process.stdout.write(await greeting(env, ground.world));
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
