import { startThread } from '../audio/thread';
import type { Compose } from './tunes';

export type Composer = { compose: Compose; close(): Promise<unknown> };
export type Order = { id: number; seed: string; seconds: number };
export type Delivery = { id: number; bytes: Uint8Array };

/** Composes on a thread, in the order of the calls: encoding a tune would block this process for a second. */
export function openComposer(): Composer {
  const thread = startThread({ built: 'composer', source: new URL('./composer-thread.ts', import.meta.url) }, {});
  const waiting = new Map<number, { resolve(bytes: Buffer): void; reject(error: Error): void }>();
  let ordered = 0;
  let failure: Error | null = null;
  const fail = (error: Error) => {
    failure = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  thread.on('message', ({ id, bytes }: Delivery) => {
    waiting.get(id)?.resolve(Buffer.from(bytes));
    waiting.delete(id);
  });
  thread.on('error', fail);
  thread.on('exit', () => fail(new Error('the thread that composes has ended')));
  return {
    compose: (seed, seconds) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        ordered += 1;
        waiting.set(ordered, { resolve, reject });
        thread.postMessage({ id: ordered, seed, seconds } satisfies Order);
      }),
    close: () => thread.terminate(),
  };
}
