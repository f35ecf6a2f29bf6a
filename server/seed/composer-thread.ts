/** The thread of composer.ts. */
import { parentPort } from 'node:worker_threads';
import type { Delivery, Order } from './composer';
import { synthesizeTune } from './tunes';

parentPort?.on('message', async ({ id, seed, seconds }: Order) => {
  const bytes = await synthesizeTune(seed, seconds);
  parentPort?.postMessage({ id, bytes } satisfies Delivery);
});
