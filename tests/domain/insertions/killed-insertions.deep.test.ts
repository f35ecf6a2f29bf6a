import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { clips, clipVersions, insertionCampaigns } from '~/db/schema/insertions';
import { impressionDays, renditionDownloads } from '~/db/schema/renditions';
import { ENTRIES } from '~/scripts/bundle.mjs';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { HOURS, later } from '~/server/base/time';
import { releaseReservations } from '~/server/domain/insertions/release-reservations';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { downloadsOf } from '../../support/deliveries';
import { insertionMakers } from '../../support/insertions';
import { killedProcess } from '../../support/killed-process';

const { runtime, clock, url, dataDir, make } = await cast({ empty: true });
const { db } = runtime;
await db.execute(sql`select make_listening_partitions('2026-02-01', 4)`);
const { soundEpisode, clip, campaign } = insertionMakers(runtime, make);
const runKilled = await killedProcess('tests/support/insertion-child.ts', {
  'audio-worker': ENTRIES['audio-worker'],
});
const KILLS = 20;
const LISTENERS = 10_000;
const creator = await make.creator();

test(`${KILLS} restarts by SIGKILL lose no acknowledged impression, count none twice, and leave no room reserved`, async () => {
  const show = await make.product(creator);
  const episode = await soundEpisode(show);
  const row = await campaign(show, [await clip(creator)], { cap: LISTENERS + 5 });
  const { id, creatorId, productId, audioBytes, headBytes, durationMs } = episode;
  const known = { id, creatorId, productId, bytes: audioBytes, headBytes, durationMs };
  const acknowledged = path.join(dataDir, 'acknowledged');

  const kills = await runKilled(
    [url, dataDir, 'impressions', acknowledged, `${LISTENERS}`, JSON.stringify(known)],
    KILLS,
  );

  const lines = (await fs.readFile(acknowledged, 'utf8')).trim().split('\n');
  expect(kills).toBeGreaterThan(KILLS / 2);
  expect(new Set(lines).size).toBe(LISTENERS);
  const [counted] = await db.select().from(insertionCampaigns).where(eq(insertionCampaigns.id, row.id));
  expect(counted).toMatchObject({ impressions: LISTENERS, reserved: 0 });
  const days = await db
    .select()
    .from(impressionDays)
    .where(eq(impressionDays.campaignId, row.id))
    .orderBy(impressionDays.day);
  expect(days).toMatchObject([{ impressions: LISTENERS }]);
  expect(await downloadsOf(db, id)).toMatchObject({ total: LISTENERS, rows: LISTENERS });
  expect(await db.$count(renditionDownloads, eq(renditionDownloads.episodeId, id))).toBe(LISTENERS);
  clock.now = later(clock.now, HOURS(25));
  await releaseReservations(systemCtx(runtime, 'insertions.release-reservations'));
  const [released] = await db.select().from(insertionCampaigns).where(eq(insertionCampaigns.id, row.id));
  expect(released).toMatchObject({ impressions: LISTENERS, reserved: 0 });
});

test(`clips whose conversion is killed ${KILLS} times are all ready, each with one whole file`, async () => {
  const { body } = await clip(creator, { seconds: 1 });
  const folder = `audio/${creator.creatorId}/clips/`;
  const audioKey = `${folder}original.mp3`;
  await runtime.ports.storage.put(audioKey, body, { contentType: 'audio/mpeg' });
  const own = { creatorId: creator.creatorId, name: 'Cuña', origin: 'upload', status: 'ready' } as const;
  const [original] = await db
    .insert(clips)
    .values({ ...own, audioKey, durationMs: 1000 })
    .returning();
  const encodings = ['1/44100/2/128000', '1/44100/1/64000', '1/48000/2/192000', '2/22050/1/64000'];
  const wanted = encodings.flatMap((encoding) =>
    Array.from({ length: 10 }, (_, i) => ({ clipId: original!.id, encoding, loudness: -10 - i })),
  );
  await db.insert(clipVersions).values(wanted.map((version) => ({ ...version, status: 'in_progress' as const })));

  const kills = await runKilled([url, dataDir, 'clips'], KILLS);

  expect(kills).toBeGreaterThan(2);
  const rows = await db
    .select()
    .from(clipVersions)
    .where(eq(clipVersions.clipId, original!.id))
    .orderBy(clipVersions.id);
  expect(rows).toHaveLength(wanted.length);
  const wrong: unknown[] = [];
  for (const { status, failureReason, audioKey: key, audioSha256 } of rows) {
    const file = await buffer(await runtime.ports.storage.read(key!));
    const isWhole = createHash('sha256').update(file).digest('hex') === audioSha256;
    if (status !== 'ready' || !isWhole || !(await checkMp3(bufferSource(file))).ok)
      wrong.push([key, status, failureReason]);
  }
  expect(wrong).toEqual([]);
  const stored = await runtime.ports.storage.list(`${folder}${original!.id}/`, 1000);
  expect(stored.map(({ key }) => key).sort()).toEqual(rows.map(({ audioKey: key }) => key).sort());
});
