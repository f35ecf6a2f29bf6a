import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { subscriberImportLines, subscriberImports } from '~/db/schema/moving';
import { runSubscriberImport } from '~/server/domain/moving/subscriber-imports/run-import';
import { importSubscribers } from '~/server/queue/jobs/moving';
import { movingShop } from '../../../support/moving-shop';

const { newCreator, make, runtime, ctx } = await movingShop();
const { db } = runtime;
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const COLUMNS = 'email,name,customer_id,price,currency,interval,current_period_end,feed_url';
const lineOf = (n: number) =>
  `member${n}@move.example,"Name, ${n}",cus_${n}x,4.99,eur,month,2027-01-05T10:00:00Z,https://old.example/feeds/${n}`;

async function requested(lines: number) {
  const mover = await newCreator();
  const list = `${[COLUMNS, ...Array.from({ length: lines }, (_, n) => lineOf(n))].join('\n')}\n`;
  const subscribersKey = await make.upload(mover.creator, 'subscribers', Buffer.from(list));
  const { id } = await mover.creator.api.subscriberImports.request({ ...mover.ref, subscribersKey });
  return { id, bytes: list.length };
}
/** The heap in use, in bytes. The process's own memory also counts garbage, and a fast machine leaves more of it. */
function usedMemory() {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
const statusOf = async (id: number) => {
  const [row] = await db.select().from(subscriberImports).where(eq(subscriberImports.id, id));
  return row!;
};

test('100,000 lines are read in little memory, also after a kill in between', { timeout: 300_000 }, async () => {
  const { id, bytes } = await requested(100_000);
  await runtime.queue.boss.fetch(importSubscribers.name, { batchSize: 10 });
  // the killed job has written some lines
  const written = { importId: id, name: '', hasEnded: false, state: 'read' as const };
  await db
    .insert(subscriberImportLines)
    .values([1, 2, 3].map((line) => ({ ...written, line, email: 'kept@move.example' })));
  const before = usedMemory();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, usedMemory());
  }, 500);
  const began = performance.now();

  await runSubscriberImport(ctx, { importId: id, step: 0 });

  clearInterval(watch);
  const seconds = (performance.now() - began) / 1000;
  const megabytes = (most - before) / 1e6;
  console.table({ lines: 100_000, 'file, MB': bytes / 1e6, seconds, 'memory, MB': megabytes });
  expect(await statusOf(id)).toMatchObject({ status: 'checking', lines: 100_000 });
  expect(await db.$count(subscriberImportLines, eq(subscriberImportLines.importId, id))).toBe(100_000);
  expect(megabytes).toBeLessThan(25);
  expect(seconds).toBeLessThan(120);
});

test('one line more is refused', { timeout: 300_000 }, async () => {
  const { id } = await requested(100_001);

  await runSubscriberImport(ctx, { importId: id, step: 0 });

  expect(await statusOf(id)).toMatchObject({ status: 'failed', failureReason: 'subscriber_import.too_many_lines' });
});
