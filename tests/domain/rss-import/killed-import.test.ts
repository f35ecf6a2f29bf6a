import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { rssImports } from '~/db/schema/rss-import';
import { bundle } from '~/scripts/bundle.mjs';
import { cast } from '../../support/cast';
import { deepSeed, isDeep } from '../../support/deep';
import { feedOrigin } from '../../support/feed-origin';
import { mp3 } from '../../support/mp3';

const { runtime, make, url, dataDir } = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const origin = await feedOrigin();
const folder = await mkdtemp(path.join(tmpdir(), 'altavoz-import-'));
await bundle({ child: 'tests/support/import-child.ts' }, folder, ['#pages-build', 'vitest']);
await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
afterAll(async () => {
  await origin.close();
  await rm(folder, { recursive: true });
});

async function startProcess(id: number): Promise<ChildProcess> {
  const args = [path.join(folder, 'child.js'), url, dataDir, String(id)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
  return child;
}

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

  let random = deepSeed();
  for (let killed = 0; killed < kills; killed += 1) {
    const child = await startProcess(id);
    random = (random * 48_271) % 2_147_483_647;
    await sleep(50 + (random % 500));
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  const last = await startProcess(id);
  if (last.exitCode === null) await once(last, 'exit');

  const done = await api.imports.get({ id });
  const found = await runtime.db.select().from(episodes).where(eq(episodes.productId, done.productId!));
  expect(done).toMatchObject({ status: 'imported', progress: { imported: episodesInFeed, failed: 0 } });
  expect(found.map(({ guid }) => guid).sort()).toEqual(origin.items.map((_, i) => `guid-${i + 1}`).sort());
  expect(found.every(({ status, audioKey }) => status === 'published' && audioKey !== null)).toBe(true);
  expect((await runtime.ports.storage.list('incoming/', 100)).length).toBe(before);
  expect(await api.products.list({})).toMatchObject({ total: 1 });
});
