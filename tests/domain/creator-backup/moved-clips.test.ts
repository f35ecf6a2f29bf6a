import fs from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { creatorBackups } from '~/db/schema/creator-backup';
import { episodes } from '~/db/schema/episodes';
import { campaignClips, clips, clipVersions, insertionCampaigns, replacedPassages } from '~/db/schema/insertions';
import { DAYS, later } from '~/server/base/time';
import { buildCreatorBackup } from '~/server/domain/creator-backup/build-backup';
import { importCreatorBackup } from '~/server/domain/creator-backup/import-backup';
import { openCreatorBackup } from '~/server/domain/creator-backup/open-backup';
import { sweepDeletedClips } from '~/server/domain/insertions/remove-clip';
import { openFile } from '~/server/runtime/moving-creators';
import { systemCtx } from '~/server/runtime/runtime';
import { campaignRow, insertClip } from '../../support/campaigns';
import { cast } from '../../support/cast';
import { mp3 } from '../../support/mp3';
import { testRuntime } from '../../support/runtime';

const { runtime, lucia, podcast, make, clock, dataDir } = await cast();
const second = await testRuntime();
const { db } = runtime;
const sound = mp3(3);

async function addClip(name: string) {
  const clipKey = await make.upload(lucia, 'insertion_audio', sound);
  return lucia.api.clips.create({ name, clipKey });
}

async function addCampaign(clipId: number, over: Partial<typeof insertionCampaigns.$inferInsert>) {
  const values = campaignRow({ creatorId: lucia.creatorId, productId: podcast.id }, over);
  const [row] = await db.insert(insertionCampaigns).values(values).returning({ id: insertionCampaigns.id });
  await db.insert(campaignClips).values({ campaignId: row!.id, clipId, rank: 0 });
}

async function exported() {
  const { id } = await lucia.api.archives.request();
  for (let step = 0; ; step += 1) {
    await buildCreatorBackup(systemCtx(runtime, 'archives.build'), { backupId: id, step });
    const [row] = await db.select().from(creatorBackups).where(eq(creatorBackups.id, id));
    if (!row!.readyAt) continue;
    const file = path.join(dataDir, 'clips.zip');
    await fs.writeFile(file, '');
    for (const { key } of row!.parts) await fs.appendFile(file, await buffer(await runtime.ports.storage.read(key)));
    return openCreatorBackup(await openFile(file));
  }
}

test('a creator who moves takes the clips along, which are converted there, also after one was deleted', async () => {
  const form = { sampleRate: 44_100, channels: 2, bitrate: 128_000, loudnessTenths: -160, soundTriedAt: clock.now };
  const [episode] = await make.episodes({ id: podcast.id, creatorId: lucia.creatorId }, 1, () => ({
    ...form,
    slug: 'con-pasaje',
  }));
  const [played, replacing, former] = [await addClip('Played'), await addClip('Replacing'), await addClip('Former')];
  await addCampaign(played.id, { firstDay: '2030-01-01' });
  await addCampaign(former.id, { endedAt: clock.now });
  const passage = { creatorId: lucia.creatorId, episodeId: episode!.id, clipId: replacing.id };
  await db.insert(replacedPassages).values({ ...passage, fromMs: 0, toMs: 5000 });
  await insertClip(db, lucia.creatorId, { origin: 'promo', name: 'Promo of another show' });
  await lucia.api.clips.remove({ id: former.id });
  clock.now = later(clock.now, DAYS(3));
  await sweepDeletedClips(systemCtx(runtime, 'insertions.sweep-clips'));

  const { creatorId } = await importCreatorBackup(systemCtx(second.runtime, 'operator'), await exported());

  const there = second.runtime;
  const own = await there.db.select().from(clips).where(eq(clips.creatorId, creatorId)).orderBy(asc(clips.id));
  expect(own.map(({ name, audioKey }) => [name, audioKey !== null])).toEqual([
    ['Played', true],
    ['Replacing', true],
    ['Former', false],
  ]);
  for (const { audioKey } of own.slice(0, 2))
    expect((await buffer(await there.ports.storage.read(audioKey!))).equals(sound)).toBe(true);
  const versions = await there.db.select().from(clipVersions).orderBy(asc(clipVersions.clipId));
  expect(new Set(versions.map(({ clipId, status }) => `${clipId} ${status}`))).toEqual(
    new Set(own.slice(0, 2).map(({ id }) => `${id} in_progress`)),
  );
  expect(await there.db.$count(episodes, eq(episodes.creatorId, creatorId))).toBeGreaterThan(0);
});
