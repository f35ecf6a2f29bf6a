import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { rssImports } from '~/db/schema/rss-import';
import { cast } from '../../support/cast';
import { isDeep } from '../../support/deep';
import { feedOrigin } from '../../support/feed-origin';
import { killedProcess } from '../../support/killed-process';
import { mp3 } from '../../support/mp3';

const { runtime, make, url, dataDir } = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const origin = await feedOrigin();
const runKilled = await killedProcess('tests/support/import-child.ts');
afterAll(() => origin.close());

test('an import that is killed at random moments continues, and imports every episode once', async () => {
  const episodesInFeed = isDeep ? 30 : 8;
  const kills = isDeep ? 10 : 2;
  origin.items = Array.from({ length: episodesInFeed }, () => ({}));
  // as slow as a file of a few megabytes
  for (let i = 1; i <= episodesInFeed; i += 1)
    origin.answers.set(`/audio-${i}.mp3`, (_, response) => void setTimeout(() => response.end(mp3(1 + i)), 60));
  const { api } = await make.creator({ name: 'Julia' });
  const { id } = await api.imports.request({ url: origin.feedUrl() });
  await runtime.db
    .update(rssImports)
    .set({ status: 'in_progress', startedAt: runtime.now() })
    .where(eq(rssImports.id, id));

  const before = (await runtime.ports.storage.list('incoming/', 100)).length;

  await runKilled([url, dataDir, String(id)], kills);

  const done = await api.imports.get({ id });
  const found = await runtime.db
    .select()
    .from(episodes)
    .where(eq(episodes.productId, done.productId!))
    .orderBy(episodes.id);
  expect(done).toMatchObject({ status: 'imported', progress: { imported: episodesInFeed, failed: 0 } });
  expect(found.map(({ guid }) => guid).sort()).toEqual(origin.items.map((_, i) => `guid-${i + 1}`).sort());
  expect(found.every(({ status, audioKey }) => status === 'published' && audioKey !== null)).toBe(true);
  expect((await runtime.ports.storage.list('incoming/', 100)).length).toBe(before);
  expect(await api.products.list({})).toMatchObject({ total: 1 });
});
