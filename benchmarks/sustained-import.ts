// Imports a show with audio repeatedly, in a process of its own, as a worker would.
import { eq } from 'drizzle-orm';
import { rssImports } from '~/db/schema/rss-import';
import { feedOrigin, settleImport } from '~/tests/support/feed-origin';
import { makers } from '~/tests/support/make';
import { mp3 } from '~/tests/support/mp3';
import { openTestRuntime } from '~/tests/support/open-test-runtime';

const [url = '', dataDir = ''] = process.argv.slice(2);
const { runtime } = await openTestRuntime(url, dataDir, { FETCH_ALLOW_LOOPBACK: 'true' });
// files carry their storage time
Object.assign(runtime, { now: () => new Date() });
const make = makers(runtime, { passwordHash: '', cover: null });
const audio = mp3(60);
const EPISODES = 500;

for (;;) {
  const origin = await feedOrigin();
  origin.items = Array.from({ length: EPISODES }, () => ({ bytes: audio.length }));
  for (let i = 1; i <= EPISODES; i += 1) origin.files.set(`/audio-${i}.mp3`, audio);
  const { api } = await make.creator({ name: 'Julia' });
  const { id } = await api.imports.request({ url: origin.feedUrl(), proof: 'feed' });
  await runtime.db.update(rssImports).set({ status: 'in_progress' }).where(eq(rssImports.id, id));
  await settleImport(runtime, id, { steps: Number.POSITIVE_INFINITY });
  const { progress } = await api.imports.get({ id });
  process.stdout.write(`${JSON.stringify({ imported: progress.imported, failed: EPISODES - progress.imported })}\n`);
  await origin.close();
}
