import { link, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { clips, clipVersions, insertionPoints } from '~/db/schema/insertions';
import { storeIndex } from '~/server/domain/media/recordings';
import { frameIndexKey } from '~/server/domain/media/rules';
import { insertionMakers } from '~/tests/support/insertions';
import { makers } from '~/tests/support/make';
import { openTestRuntime } from '~/tests/support/open-test-runtime';
import { clipFile, hourFile } from './audio/hour';
import type { PreparedBenchmark } from './prepare-benchmark';

export type InsertionData = Awaited<ReturnType<typeof openInsertionData>>;
type Show = { id: number; creatorId: number };

/** At most five are before, ten inside and five after an episode. */
const PLACES = [
  ...Array.from({ length: 10 }, (_, i) => ({ place: 'mid' as const, number: i + 1 })),
  ...Array.from({ length: 5 }, () => ({ place: 'pre' as const, number: 0 })),
  ...Array.from({ length: 5 }, () => ({ place: 'post' as const, number: 0 })),
];

/** Shows with an hour of audio, clips of 30 seconds, and campaigns, beside the app that a benchmark measures. */
export async function openInsertionData({ databaseUrl, dataDir }: Pick<PreparedBenchmark, 'databaseUrl' | 'dataDir'>) {
  const { runtime, clock, close } = await openTestRuntime(databaseUrl, dataDir);
  clock.now = new Date();
  const make = makers(runtime, { passwordHash: 'unknown', cover: null });
  const insertion = insertionMakers(runtime, make);
  const creator = await make.creator();
  const [hour, spot] = [await readFile(await hourFile('cbr')), await readFile(await clipFile(30))];

  /** An episode in which a number of campaigns play. */
  async function sponsored(campaigns: number) {
    const show = await make.product(creator);
    const episode = await insertion.soundEpisode(show, { file: hour });
    const points = Array.from({ length: 10 }, (_, i) => ({ episodeId: episode.id, atMs: (i + 1) * 320_000 }));
    await runtime.db.insert(insertionPoints).values(points.map((point) => ({ ...point, origin: 'creator' as const })));
    for (const [rank, place] of PLACES.slice(0, campaigns).entries())
      await insertion.campaign(show, [await insertion.clip(creator, { seconds: 30 })], { ...place, rank });
    return episode;
  }

  /** A show of episodes whose sound is measured; each has a file of its own, which are links to one. */
  async function measuredShow(count: number) {
    const show = await make.product(creator);
    const source = await insertion.soundEpisode(show, { file: hour });
    const media = (key: string) => path.join(dataDir, 'media', key);
    const keyOf = (i: number) => `audio/${creator.creatorId}/${show.id}-${i}/${source.audioSha256}.mp3`;
    const { audioSha256, audioBytes, durationMs, headBytes, loudnessTenths } = source;
    const facts = { audioSha256, audioBytes, durationMs, headBytes, loudnessTenths };
    const format = { sampleRate: 44_100, channels: 2, bitrate: 128_000, soundTriedAt: clock.now };
    const rows = await make.episodes(show, count, (i) => ({
      ...{ slug: `de-${show.id}-${i}`, audioKey: keyOf(i) },
      ...facts,
      ...format,
    }));
    await storeIndex(runtime.ports.storage, source.audioKey!);
    for (let i = 0; i < count; i += 1) {
      await mkdir(path.dirname(media(keyOf(i))), { recursive: true });
      for (const fileOf of [media, (key: string) => media(frameIndexKey(key))])
        await link(fileOf(source.audioKey!), fileOf(keyOf(i)));
    }
    await runtime.db.execute(sql`delete from episodes where id = ${source.id}`);
    await runtime.db.execute(sql`analyze`);
    return { show, episodes: rows };
  }

  /** A clip of 30 seconds that was checked, and not converted for any episode. */
  async function freshClip() {
    const audioKey = `audio/${creator.creatorId}/clips/${Math.random().toString(36).slice(2)}.mp3`;
    await runtime.ports.storage.put(audioKey, spot, { contentType: 'audio/mpeg' });
    const facts = { name: 'Cuña', origin: 'upload', status: 'ready', durationMs: 30_000 } as const;
    const file = { audioKey, audioBytes: spot.length };
    const [row] = await runtime.db
      .insert(clips)
      .values({ creatorId: creator.creatorId, ...facts, ...file })
      .returning();
    return row!;
  }

  /** A clip that its creator has added before, until it is converted for the formats of the latest episodes. */
  async function foreseenClip() {
    const clipKey = await make.upload(creator, 'insertion_audio', spot);
    const clip = await creator.api.clips.create({ name: 'Cuña', clipKey });
    const isWaiting = and(eq(clipVersions.clipId, clip.id), eq(clipVersions.status, 'in_progress'));
    while ((await runtime.db.$count(clipVersions, isWaiting)) > 0) await sleep(100);
    return clip;
  }

  /** Saves a campaign as the creator does in the studio. */
  const save = (show: Show, clip: { id: number }) => {
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const input = { productId: show.id, name: 'Patrocinio', clipIds: [clip.id], place: 'pre' as const, firstDay: day };
    return creator.api.campaigns.create(input as never);
  };

  return { runtime, insertion, sponsored, measuredShow, freshClip, foreseenClip, save, close };
}
