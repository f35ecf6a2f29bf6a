import fs from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { listeningDays } from '~/db/schema/listening';
import { logKeys } from '~/db/schema/log-imports';
import { recordDelivery } from '~/server/domain/listening/downloads';
import { cast } from '../../support/cast';
import { delivery, downloadsOf, sumsOf, twoMinuteEpisode, twoMinuteEpisodes } from '../../support/deliveries';
import { killedProcess } from '../../support/killed-process';

const { runtime, clock, url, dataDir, make, visitorCtx } = await cast();
const { db } = runtime;
await db.execute(sql`select make_listening_partitions('2026-02-01', 4)`);
const runKilled = await killedProcess('tests/support/counting-child.ts');
const KILLS = 20;
const DOWNLOADS = 30_000;

test('20 restarts by SIGKILL lose no acknowledged download, and count none twice', async () => {
  const episode = await twoMinuteEpisode(make);
  const acknowledged = path.join(dataDir, 'acknowledged');

  const kills = await runKilled(
    [url, dataDir, 'downloads', acknowledged, `${DOWNLOADS}`, JSON.stringify(episode)],
    KILLS,
  );

  const known = (await fs.readFile(acknowledged, 'utf8')).trim().split('\n');
  expect(kills).toBeGreaterThan(KILLS / 2);
  expect(new Set(known).size).toBe(DOWNLOADS);
  expect(await downloadsOf(db, episode.id)).toEqual({ total: DOWNLOADS, days: DOWNLOADS, rows: DOWNLOADS });
  const { days, months } = await sumsOf(db, episode.productId);
  expect(days.reduce((sum, { listeners }) => sum + (listeners ?? 0), 0)).toBe(DOWNLOADS);
  expect(months.map(({ downloads }) => downloads)).toEqual([DOWNLOADS]);
});

test('a log whose import is killed 20 times counts each line once, and leaves no key', async () => {
  const product = await make.product(await make.creator());
  const [episode] = await make.episodes(product, 1);
  await db.execute(sql`
    update episodes set audio_bytes = 1921000, head_bytes = 1000, duration_ms = 120000 where id = ${episode!.id}`);
  const lines = Array.from(
    { length: DOWNLOADS },
    (_, i) =>
      `10.1.${i >> 8}.${i & 255} - - [${i % 2 ? '20' : '21'}/Feb/2026:10:00:00 +0000] "GET /audio/${episode!.id}/one.mp3 HTTP/1.1" 200 1921000 "-" "Overcast/3.0"`,
  );
  const file = path.join(dataDir, 'access.log');
  await fs.writeFile(file, `${lines.join('\n')}\n`);

  const kills = await runKilled([url, dataDir, 'log', file], KILLS);

  expect(kills).toBeGreaterThan(2);
  expect(await downloadsOf(db, episode!.id)).toEqual({ total: DOWNLOADS, days: DOWNLOADS, rows: DOWNLOADS });
  expect(await db.$count(logKeys)).toBe(0);
});

test('a recount that is killed 20 times gives what the events say', async () => {
  const shows = await Promise.all(Array.from({ length: 30 }, () => twoMinuteEpisodes(make, 2)));
  const ctx = visitorCtx({ now: clock.now });
  const all = shows.flat().flatMap((episode) =>
    Array.from({ length: 40 }, (_, i) => {
      const client = { address: `10.2.0.${i}`, userAgent: i % 3 ? 'Overcast/3.0' : 'AntennaPod/3.1.2' };
      return recordDelivery(ctx, delivery(episode, { client }));
    }),
  );
  await Promise.all(all);
  const stored = () => Promise.all(shows.map(([episode]) => sumsOf(db, episode!.productId)));
  const before = await stored();
  await db.update(listeningDays).set({ downloads: 7, slots: {}, dimensions: {}, pairs: {} });

  const kills = await runKilled([url, dataDir, 'recount', '2026-03'], KILLS);

  expect(kills).toBeGreaterThan(2);
  expect(await stored()).toEqual(before);
});
