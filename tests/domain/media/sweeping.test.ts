import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodeChapters } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { uploads } from '~/db/schema/media';
import { eraseObjects } from '~/server/domain/media/erase-objects';
import { deleteStoredObjects, sweepUploads } from '~/server/domain/media/sweep-uploads';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { mp3 } from '../../support/mp3';

const { runtime, clock, env, lucia, podcast, make } = await cast();
const ctx = systemCtx(runtime, 'media.sweep-uploads');
const exists = async (key: string) => (await runtime.ports.storage.head(key)) !== null;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function aDayLater(run: () => Promise<void>): Promise<void> {
  const now = clock.now;
  clock.now = new Date(now.getTime() + DAY + HOUR + 1000);
  await run();
  clock.now = now;
}

test('an unused upload is deleted with all its files a day and an hour after its request', async () => {
  const { token } = await make.person();
  const key = await make.upload({ token }, 'episode_audio', mp3(2));
  await runtime.ports.storage.put(`incoming/${key}.json`, Buffer.from('{}'), { contentType: 'application/json' });

  await sweepUploads(ctx);
  clock.now = new Date(clock.now.getTime() + DAY + 1000);
  await sweepUploads(ctx);
  clock.now = new Date(clock.now.getTime() - DAY - 1000);
  const duringGrace = await exists(`incoming/${key}`);
  await aDayLater(() => sweepUploads(ctx));

  expect(duringGrace).toBe(true);
  expect([await exists(`incoming/${key}`), await exists(`incoming/${key}.json`)]).toEqual([false, false]);
  expect(await runtime.db.select().from(uploads).where(eq(uploads.key, key)).orderBy(uploads.key)).toEqual([]);
});

test('the file of an unchecked episode is kept', async () => {
  const episode = await make.draft(lucia, podcast);
  const [row] = await runtime.db.select().from(episodes).where(eq(episodes.id, episode.id));

  await aDayLater(() => sweepUploads(ctx));

  expect(await exists(`incoming/${row!.uploadKey}`)).toBe(true);
});

test('a file without a ticket is deleted after two days', async () => {
  const key = 'incoming/0123456789abcdef0123456789abcdef';
  await runtime.ports.storage.put(key, Buffer.from('x'), { contentType: 'audio/mpeg' });
  const old = new Date(clock.now.getTime() - 3 * DAY);
  const root = env.storage.driver === 'disk' ? env.storage.dir : '';

  await utimes(join(root, key), clock.now, clock.now);
  await sweepUploads(ctx);
  const young = await exists(key);
  await utimes(join(root, key), old, old);
  await sweepUploads(ctx);

  expect([young, await exists(key)]).toEqual([true, false]);
});

test('a file without a ticket is found after 500 others', async () => {
  const root = env.storage.driver === 'disk' ? env.storage.dir : '';
  const young = (i: number) => `incoming/1${String(i).padStart(31, '0')}`;
  const stray = `incoming/${'f'.repeat(32)}`;
  const old = new Date(clock.now.getTime() - 3 * DAY);
  await Promise.all(Array.from({ length: 501 }, (_, i) => writeFile(join(root, young(i)), 'x')));
  await writeFile(join(root, stray), 'x');
  await utimes(join(root, stray), old, old);

  await sweepUploads(ctx);

  expect([await exists(young(500)), await exists(stray)]).toEqual([true, false]);
});

test('deleting missing objects succeeds', async () => {
  await expect(deleteStoredObjects(ctx, ['audio/1/1/none.mp3'])).resolves.toBeUndefined();
});

test('pictures of chapters stay with a show that survives its owner’s account, and unused ones are deleted', async () => {
  const owner = await make.creator();
  const [episode] = await make.episodes(await make.product(owner), 1);
  const [used, unused] = ['a', 'b'].map((letter) => `images/${owner.id}/${letter.repeat(64)}`);
  const files = [used, unused].flatMap((base) => [`${base}/full.jpg`, `${base}/96.webp`]);
  for (const key of files) await runtime.ports.storage.put(key, Buffer.from('x'), { contentType: 'image/jpeg' });
  const chapter = { startMs: 0, title: 'One', url: null };
  const chapters = [
    { ...chapter, imageKey: null },
    { ...chapter, imageKey: used ?? null },
  ];
  await runtime.db.insert(episodeChapters).values({ episodeId: episode!.id, chapters });

  await eraseObjects(ctx, { userId: owner.id });

  expect(await Promise.all(files.map(exists))).toEqual([true, true, false, false]);
});
