import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openInbox } from '../audio/thread-inbox';
import { TranscriberRejected, TranscriberUnavailable } from '../base/errors';
import type { Heard } from '../transcript/heard';
import type { RecogniserInput, RecogniserReply } from './recogniser-process';
import { PACKAGE } from './sherpa';

/** `modelDir`: the folder of a model. `packageName`: a module in place of sherpa-onnx-node. */
export type RecogniserSettings = { modelDir: string; memoryBytes: number; packageName?: string; idleMs?: number };

export type Recogniser = {
  /**
   * Hears one piece at a time; a passage for each span between pauses, without words where the model tells no times.
   * @throws TranscriberUnavailable if the process died, TranscriberRejected if the model or the piece cannot be read
   */
  hear(mp3: Uint8Array, how: { language: string | null; signal: AbortSignal }): Promise<Heard>;
  /** Of its process, in bytes, after the last piece; null without one. */
  usedMemory(): number | null;
  close(): Promise<void>;
};

const LOAD_TIMEOUT_MS = 5 * 60_000;
/** A bound for a process that hangs; the caller's signal is what usually ends a piece that takes too long. */
const HEAR_TIMEOUT_MS = 60 * 60_000;
/** A loaded model has hundreds of megabytes, and loading it again takes seconds. */
const IDLE_MS = 5 * 60_000;
/** Contains none of the server's secrets. */
const ENVIRONMENT = { NODE_ENV: 'production', PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' } as const;

/** A local engine in a process of its own, which starts at the first piece, and ends after some minutes without one. */
export function openRecogniser({ idleMs = IDLE_MS, ...settings }: RecogniserSettings): Recogniser {
  let running: RecogniserProcess | null = null;
  let memory: number | null = null;
  let idle: NodeJS.Timeout | undefined;
  async function end(): Promise<void> {
    clearTimeout(idle);
    const former = running;
    running = null;
    await former?.end();
  }
  return {
    async hear(mp3, { language, signal }) {
      clearTimeout(idle);
      stopIfAborted(signal);
      if (running?.hasEnded()) running = null;
      running ??= startProcess(settings);
      const current = running;
      // a model cannot be interrupted
      const stop = () => void current.end();
      signal.addEventListener('abort', stop, { once: true });
      try {
        await current.ready;
        const reply = await current.hear({ mp3, language });
        memory = reply.bytes;
        return reply.heard;
      } catch (error) {
        await end();
        stopIfAborted(signal);
        throw error;
      } finally {
        signal.removeEventListener('abort', stop);
        idle = setTimeout(end, idleMs).unref();
      }
    },
    usedMemory: () => memory,
    close: end,
  };
}

/** A piece that takes too long may be faster later. */
function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted && signal.reason?.name === 'TimeoutError') throw new TranscriberUnavailable('no result in time');
  signal.throwIfAborted();
}

type RecogniserProcess = ReturnType<typeof startProcess>;

function startProcess({ modelDir, memoryBytes, packageName = PACKAGE }: RecogniserSettings) {
  const isSource = import.meta.url.endsWith('.ts');
  const file = new URL(isSource ? './recogniser-process.ts' : './recogniser-process.js', import.meta.url);
  const child = fork(fileURLToPath(file), [modelDir, String(memoryBytes), packageName], {
    execArgv: isSource ? ['--import', 'tsx'] : [],
    env: ENVIRONMENT,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const inbox = openInbox<RecogniserReply>();
  child.on('message', (reply) => inbox.put(reply as RecogniserReply));
  let messages = '';
  let hasEnded = false;
  child.stderr?.on('data', (part: Buffer) => {
    messages = (messages + part).slice(-MESSAGE_LENGTH);
  });
  const ended = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      hasEnded = true;
      inbox.fail(error);
      resolve();
    });
    child.on('close', (status, signal) => {
      hasEnded = true;
      inbox.fail(new Died(signal, `the recogniser ended with ${signal ?? status}: ${oneLine(messages)}`));
      resolve();
    });
  });
  const ready = inbox.next(LOAD_TIMEOUT_MS).then(successOf, (error) => {
    throw afterLoading(error);
  });
  // who asks for a piece gets it
  ready.catch(() => {});
  return {
    ready,
    hasEnded: () => hasEnded,
    async hear(input: RecogniserInput) {
      child.send(input);
      const reply = await inbox.next(HEAR_TIMEOUT_MS).then(successOf, (error: Error) => {
        throw new TranscriberUnavailable(error.message);
      });
      if ('heard' in reply) return reply;
      throw new Error('the recogniser sent another message');
    },
    async end(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const MESSAGE_LENGTH = 500;

class Died extends Error {
  constructor(
    readonly signal: NodeJS.Signals | null,
    message: string,
  ) {
    super(message);
  }
}

/** A process that dies while it loads a model would die again, unless somebody has killed it. */
function afterLoading(error: unknown): Error {
  if (error instanceof Died && error.signal !== 'SIGKILL') return new TranscriberRejected('setup', error.message);
  return error instanceof TranscriberRejected ? error : new TranscriberUnavailable((error as Error).message);
}

function successOf(reply: RecogniserReply) {
  if (!('fault' in reply)) return reply;
  if (reply.fault === 'memory') throw new TranscriberUnavailable(reply.message);
  throw new TranscriberRejected(reply.fault, reply.message);
}

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ') || 'it said nothing';
