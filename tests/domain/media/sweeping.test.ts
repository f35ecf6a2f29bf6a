import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { uploads } from '~/db/schema/media';
import { deleteStoredObjects, sweepUploads } from '~/server/domain/media/sweeping';
import { systemCtx } from '~/server/runtime';
import { mp3 } from '../../support/mp3';
import { creator, draft, person, product, uploaded } from '../../support/people';
import { testRuntime } from '../../support/runtime';

const { runtime, clock, env } = await testRuntime();
const ctx = systemCtx(runtime, 'media.sweep-uploads');
const there = async (key: string) => (await runtime.ports.storage.head(key)) !== null;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function aDayLater(run: () => Promise<void>): Promise<void> {
  const now = clock.now;
  clock.now = new Date(now.getTime() + DAY + HOUR + 1000);
  await run();
  clock.now = now;
}

test('an upload that nobody used is gone after a day, with all that belongs to it', async () => {
  const { token } = await person(runtime);
  const key = await uploaded(runtime, token, 'episode_audio', mp3(2));
  await runtime.ports.storage.put(`incoming/${key}.json`, Buffer.from('{}'), { contentType: 'application/json' });

  await sweepUploads(ctx);
  clock.now = new Date(clock.now.getTime() + DAY + 1000);
  await sweepUploads(ctx);
  clock.now = new Date(clock.now.getTime() - DAY - 1000);
  const stillThere = await there(`incoming/${key}`);
  await aDayLater(() => sweepUploads(ctx));

  expect(stillThere).toBe(true);
  expect([await there(`incoming/${key}`), await there(`incoming/${key}.json`)]).toEqual([false, false]);
  expect(await runtime.db.select().from(uploads).where(eq(uploads.key, key))).toEqual([]);
});

test('a file whose episode still waits to be checked stays', async () => {
  const lucia = await creator(runtime);
  const episode = await draft(runtime, lucia, await product(runtime, lucia));
  const [row] = await runtime.db.select().from(episodes).where(eq(episodes.id, episode.id));

  await aDayLater(() => sweepUploads(ctx));

  expect(await there(`incoming/${row!.uploadKey}`)).toBe(true);
});

test('a stray file without a ticket goes after two days', async () => {
  const key = 'incoming/0123456789abcdef0123456789abcdef';
  await runtime.ports.storage.put(key, Buffer.from('x'), { contentType: 'audio/mpeg' });
  const old = new Date(clock.now.getTime() - 3 * DAY);
  const root = env.storage.driver === 'disk' ? env.storage.dir : '';

  await utimes(join(root, key), clock.now, clock.now);
  await sweepUploads(ctx);
  const young = await there(key);
  await utimes(join(root, key), old, old);
  await sweepUploads(ctx);

  expect([young, await there(key)]).toEqual([true, false]);
});

test('a stray file is found behind five hundred others', async () => {
  const root = env.storage.driver === 'disk' ? env.storage.dir : '';
  const young = (i: number) => `incoming/1${String(i).padStart(31, '0')}`;
  const stray = `incoming/${'f'.repeat(32)}`;
  const old = new Date(clock.now.getTime() - 3 * DAY);
  await Promise.all(Array.from({ length: 501 }, (_, i) => writeFile(join(root, young(i)), 'x')));
  await writeFile(join(root, stray), 'x');
  await utimes(join(root, stray), old, old);

  await sweepUploads(ctx);

  expect([await there(young(500)), await there(stray)]).toEqual([true, false]);
});

test('removing objects that are gone already is no failure', async () => {
  await expect(deleteStoredObjects(ctx, ['audio/1/1/none.mp3'])).resolves.toBeUndefined();
});
