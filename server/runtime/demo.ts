import { setTimeout as sleep } from 'node:timers/promises';
import { createDb } from '~/db/client';
import { withCreationLock } from '~/db/migrate';
import { SECONDS } from '../base/time';
import { CAST } from '../seed/cast';
import { openComposer } from '../seed/composer';
import { needsDemo, seedDemo } from '../seed/demo';
import { paymentsOf } from '../seed/paying';
import { beginDemo, type OnProgress, stateOfDemo } from '../seed/steps';
import type { Log } from '../watching/log';
import type { OpenRuntime } from './open-runtime';
import type { Runtime } from './runtime';

/** The demo's own connections, which wait for a busy database as long as necessary. */
const CONNECTIONS = 4;
const FIRST_PAUSE = SECONDS(1);
const LONGEST_PAUSE = SECONDS(15);

type Opened = Pick<OpenRuntime, 'runtime' | 'directUrl' | 'stripeSandbox' | 'dnsZone' | 'spotifySandbox'>;

export type Demo = {
  /** Whether a part of the demo is missing, as far as this process knows. */
  isPreparing(): boolean;
  /** Whether the whole demo exists, as far as this process knows. */
  isComplete(): boolean;
  /** Checks whether a part is missing, and records that it will be created. */
  look(): Promise<void>;
  /**
   * Creates the missing parts, whatever fails meanwhile. @returns whether the demo is complete, or `close` was called
   */
  prepare(onProgress: OnProgress): Promise<boolean>;
  /** Incomplete parts follow at the next start. */
  close(): Promise<void>;
};

/** The demo of this database, which is created while pages are served. */
export function openDemo(
  { runtime: given, directUrl, stripeSandbox, dnsZone, spotifySandbox }: Opened,
  cast = CAST,
): Demo {
  const { db, close } = createDb(directUrl, { max: CONNECTIONS, patient: true, purpose: 'altavoz-jobs' });
  const runtime: Runtime = { ...given, db };
  const closing = new AbortController();
  const trying = { log: given.log, closing: closing.signal };
  let isPreparing = false;
  let isComplete = false;

  async function createAlone(onProgress: OnProgress): Promise<void> {
    const composer = openComposer();
    const local = { payments: paymentsOf(stripeSandbox), zone: dnsZone, spotify: spotifySandbox };
    const options = { ...local, compose: composer.compose, onProgress };
    let creating: Promise<unknown> = Promise.resolve();
    const create = () => {
      creating = seedDemo(runtime, cast, options);
      return creating;
    };
    const onWait = () => given.log.info({}, 'another process creates the demo');
    try {
      // otherwise two processes that start together would both create it
      await withCreationLock(directUrl, { create, onWait, lock: 'demo', stopping: closing.signal });
    } finally {
      await composer.close();
      // if only the lock's connection was lost, this attempt still runs, and the next one must wait for its end
      if (!closing.signal.aborted) await creating.catch(() => {});
    }
  }

  return {
    isPreparing: () => isPreparing,
    isComplete: () => isComplete,
    look: () =>
      untilDone(trying, async () => {
        const isMissing = await needsDemo(runtime, cast);
        if (isMissing) await beginDemo(db);
        isComplete = (await stateOfDemo(db)) === 'complete';
        isPreparing = isMissing;
      }),
    async prepare(onProgress) {
      await untilDone(trying, () => createAlone(onProgress));
      isPreparing = false;
      isComplete = !closing.signal.aborted;
      return isComplete;
    },
    async close() {
      closing.abort();
      await close();
    },
  };
}

type Trying = { log: Log; closing: AbortSignal };

/** Retries `work` after longer and longer pauses, until it succeeds or the process stops. */
async function untilDone({ log, closing }: Trying, work: () => Promise<void>): Promise<void> {
  for (let pause = FIRST_PAUSE; !closing.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await work();
    } catch (err) {
      if (!closing.aborted) log.warn({ err }, 'creating the demo failed and will be repeated');
      await sleep(pause, null, { signal: closing }).catch(() => {});
    }
  }
}
