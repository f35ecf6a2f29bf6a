import os from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { DkimKey, SignText } from './dkim-signature';
import type { SignReply, SignTask } from './dkim-thread';

type Waiting = { text: string; resolve(signature: string): void; reject(error: Error): void };
type Thread = { worker: Worker; tasks: Map<number, Waiting[]> };

/** Texts per message to a thread: enough to hide the cost of passing them, few enough to share the work. */
const BATCH = 16;
/** Signing takes three quarters of all processor time, so the cores share it, also the one that talks to the server. */
const MAX_THREADS = Math.min(4, os.availableParallelism());

/** Signs on threads, so that requests and other connections go on meanwhile. They start with the first text. */
export function openDkimThreads(startThread: () => Worker): { signText: SignText; close(): Promise<void> } {
  const threads: Thread[] = [];
  const waiting = new Map<DkimKey, Waiting[]>();
  let isScheduled = false;
  let lastId = 0;

  function flush(): void {
    isScheduled = false;
    for (const [key, texts] of waiting) {
      for (let i = 0; i < texts.length; i += BATCH) pass(key, texts.slice(i, i + BATCH));
    }
    waiting.clear();
  }

  function pass(key: DkimKey, texts: Waiting[]): void {
    const thread = leastBusy();
    lastId += 1;
    thread.tasks.set(lastId, texts);
    thread.worker.ref();
    thread.worker.postMessage({ id: lastId, key, texts: texts.map(({ text }) => text) } satisfies SignTask);
  }

  function leastBusy(): Thread {
    const idle = threads.find(({ tasks }) => tasks.size === 0);
    if (idle) return idle;
    if (threads.length < MAX_THREADS) return start();
    return threads.reduce((least, thread) => (thread.tasks.size < least.tasks.size ? thread : least));
  }

  function start(): Thread {
    const thread: Thread = { worker: startThread(), tasks: new Map() };
    threads.push(thread);
    thread.worker.on('message', (reply: SignReply) => answer(thread, reply));
    thread.worker.on('error', (error) => end(thread, error));
    thread.worker.on('exit', () => end(thread, new Error('the thread that signs has ended')));
    return thread;
  }

  function answer({ worker, tasks }: Thread, reply: SignReply): void {
    const texts = tasks.get(reply.id) ?? [];
    tasks.delete(reply.id);
    // an idle thread keeps no process alive
    if (tasks.size === 0) worker.unref();
    texts.forEach(({ resolve, reject }, i) => {
      if ('error' in reply) reject(new Error(reply.error));
      else resolve(reply.signatures[i]!);
    });
  }

  /** The next text starts another thread. */
  function end(thread: Thread, error: Error): void {
    if (threads.includes(thread)) threads.splice(threads.indexOf(thread), 1);
    for (const texts of thread.tasks.values()) for (const { reject } of texts) reject(error);
    thread.tasks.clear();
  }

  return {
    signText: (key, text) =>
      new Promise((resolve, reject) => {
        const texts = waiting.get(key) ?? [];
        texts.push({ text, resolve, reject });
        waiting.set(key, texts);
        if (isScheduled) return;
        isScheduled = true;
        setImmediate(flush);
      }),
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}
