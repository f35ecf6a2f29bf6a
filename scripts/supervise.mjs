// Keeps the server process running: restarts it after a crash, so that one unhandled error causes a pause and not an
// outage.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
/** Shorter, because users wait for what prevents the start, such as a database, and then for the start itself. */
const LONGEST_START_DELAY_MS = 5000;
/** More crashes within the period end the supervisor: the cause is a problem that a restart doesn't solve. */
const MAX_CRASHES = 5;
const CRASH_PERIOD_MS = 60_000;

/**
 * Runs Node with these arguments until it exits by itself, fails in its first start, or crashes too often. After a
 * start that succeeded, failed starts are repeated: the database may be away (docs/decisions/0287). Signals are passed
 * on. A signal that arrives before the process listens for it ends the process, which is not a failure either.
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function supervise(args) {
  const run = { child: null, isStopping: false };
  for (const signal of STOP_SIGNALS)
    process.on(signal, () => {
      // a second signal would skip the shutdown, and the end of npm after Ctrl+C counts as one
      if (!run.isStopping) run.child?.kill(signal);
      run.isStopping = true;
    });
  let crashes = [];
  let failedStarts = 0;
  for (let wasEverReady = false; ; ) {
    const { code, wasReady, reason } = await runOnce(args, run);
    if (run.isStopping && STOP_SIGNALS.includes(reason)) return 0;
    wasEverReady ||= wasReady;
    // a first start that fails, for example because of a wrong setting, would fail again
    if (code === 0 || run.isStopping || !wasEverReady) return code;
    failedStarts = wasReady ? 0 : failedStarts + 1;
    if (wasReady) crashes = [...crashes.filter((time) => time > Date.now() - CRASH_PERIOD_MS), Date.now()];
    if (crashes.length > MAX_CRASHES) {
      console.error(`Altavoz crashed ${crashes.length} times within a minute (${reason}). It will not be restarted.`);
      return code;
    }
    const delayMs = wasReady
      ? Math.min(FIRST_DELAY_MS * 2 ** (crashes.length - 1), LONGEST_DELAY_MS)
      : Math.min(FIRST_DELAY_MS * 2 ** failedStarts, LONGEST_START_DELAY_MS);
    const what = wasReady ? 'crashed' : 'failed to start';
    console.error(`Altavoz ${what} (${reason}). Restarting in ${delayMs / 1000} s.`);
    await sleep(delayMs);
    if (run.isStopping) return 0;
  }
}

/**
 * The child has its own process group: Ctrl+C would otherwise reach it twice, and a second signal skips the shutdown.
 */
function runOnce(args, run) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], detached: true });
    run.child = child;
    let wasReady = false;
    child.on('message', (message) => {
      wasReady ||= message === 'ready';
    });
    child.on('error', () => {});
    child.on('exit', (code, signal) => {
      run.child = null;
      resolve({ code: code ?? 1, wasReady, reason: signal ?? `exit code ${code}` });
    });
  });
}
