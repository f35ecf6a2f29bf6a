import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { clipVersions, replacedPassages } from '~/db/schema/insertions';
import { bufferSource } from '~/server/audio/bytes';
import { checkMp3 } from '~/server/audio/check-mp3';
import { convertClip as convert } from '~/server/domain/insertions/convert-clip';
import { loadInsertables } from '~/server/domain/insertions/insertables';
import { insertionSoundsDoor } from '~/server/doors/audio/insertion-sounds';
import { convertClip } from '~/server/queue/jobs/insertions';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { lameFrames } from '../../support/encodings';
import { insertionMakers } from '../../support/insertions';
import { runJobs } from '../../support/run-jobs';

const { runtime, lucia, ada, podcast, make } = await cast();
const { db } = runtime;
const { soundEpisode } = insertionMakers(runtime, make);
const door = insertionSoundsDoor(runtime);
const server = http.createServer((req, res) => void (door(req, res) || res.writeHead(410).end()));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => void server.close());

async function hear(id: number, query: string, by: { token: string } | null = lucia) {
  const { port } = server.address() as AddressInfo;
  const headers: Record<string, string> = by ? { cookie: `token=${by.token}` } : {};
  const response = await fetch(`http://127.0.0.1:${port}/audio/previews/${id}.mp3?${query}`, { headers });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const found = await checkMp3(bufferSource(bytes), {});
  return { status: response.status, seconds: found.ok ? found.durationMs / 1000 : null };
}

const clip = async (seconds = 2) => {
  const bytes = await lameFrames({ sampleRate: 44_100, channels: 1, seconds }, { bitrate: 64 });
  return lucia.api.clips.create({ name: 'Cuña', clipKey: await make.upload(lucia, 'insertion_audio', bytes) });
};
const convertAll = () =>
  runJobs(runtime, convertClip.name, ({ versionId }: { versionId: number }, ctx) => convert(ctx, versionId));
const passagesOf = async (id: number) => (await lucia.api.insertionPoints.ofEpisode({ id })).passages;

test('ten seconds around a place are heard with the clip, once it is converted', async () => {
  const { id } = await soundEpisode(podcast, { seconds: 20 });
  const { id: clipId } = await clip();

  expect(await hear(id, `at=10000&clip=${clipId}`)).toMatchObject({ status: 404 });
  expect(await lucia.api.insertionPoints.prepareSound({ id, clipId })).toMatchObject({ status: 'in_progress' });
  await convertAll();

  expect(await lucia.api.insertionPoints.prepareSound({ id, clipId })).toMatchObject({ status: 'ready' });
  expect(await db.$count(clipVersions, eq(clipVersions.clipId, clipId))).toBe(1);
  expect((await hear(id, `at=10000&clip=${clipId}`)).seconds).toBeCloseTo(12.2, 0);
  expect((await hear(id, 'at=10000')).seconds).toBeCloseTo(10, 0);
  // near the start there is less before it
  expect((await hear(id, 'at=2000')).seconds).toBeCloseTo(7, 0);
  // a passage is left out
  expect((await hear(id, 'at=6000&to=12000')).seconds).toBeCloseTo(10, 0);
});

test('nobody else hears a place, and wrong places don’t exist', async () => {
  const { id } = await soundEpisode(podcast);
  const other = await soundEpisode(await make.product(ada));
  const { id: clipId } = await clip();

  const refused = await Promise.all([
    hear(id, 'at=6000', null),
    hear(id, 'at=6000', ada),
    hear(other.id, `at=6000&clip=${clipId}`, ada),
    hear(id, 'at=600000'),
    hear(id, 'at=9000&to=6000'),
    hear(id, 'at=6000&clip=999999'),
    hear(999_999, 'at=6000'),
  ]);

  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
  await expect(ada.api.insertionPoints.prepareSound({ id, clipId })).toFailWith('episode.not_found');
  await expect(ada.api.insertionPoints.prepareSound({ id: other.id, clipId })).toFailWith('clip.not_found');
});

test('a passage is replaced by a clip or by nothing, and this can be undone', async () => {
  const { id, productId } = await soundEpisode(podcast, { seconds: 20, peaksKey: 'measured' });
  const { id: clipId } = await clip();

  await lucia.api.passages.replace({ id, fromMs: '0:02', toMs: '0:06', clipId });
  await lucia.api.passages.replace({ id, fromMs: 10_000, toMs: 12_000 });
  await convertAll();

  const [episode] = await loadInsertables(runtime, productId, [id]);
  expect(episode!.passages).toMatchObject([
    { fromMs: 2000, toMs: 6000, clip: { clipId } },
    { fromMs: 10_000, toMs: 12_000, clip: null },
  ]);
  await expect(lucia.api.clips.remove({ id: clipId })).toFailWith('clip.used_by_passage');
  await runtime.ports.storage.put('measured', Buffer.from('{}'), { contentType: 'application/json' });
  const [first, second] = await passagesOf(id);
  expect(first).toMatchObject({ clip: { id: clipId, name: 'Cuña' }, isOfFormerFile: false });
  for (const each of [first!, second!]) await lucia.api.passages.restore({ id: each.id });
  expect(await passagesOf(id)).toEqual([]);
  await expect(lucia.api.passages.restore({ id: first!.id })).toFailWith('passage.not_found');
  await lucia.api.clips.remove({ id: clipId });
});

test('a passage of several episodes is replaced in all of them, or in none', async () => {
  const [one, other] = [await soundEpisode(podcast, { seconds: 20 }), await soundEpisode(podcast, { seconds: 20 })];
  const stranger = await soundEpisode(await make.product(ada), { seconds: 20 });
  const replace = (episodeIds: number[], fromMs = 0) =>
    lucia.api.passages.replaceInAll({ productId: podcast.id, episodeIds, fromMs, toMs: fromMs + 3000 });

  await replace([one.id, other.id, one.id]);

  expect(await passagesOf(one.id)).toHaveLength(1);
  expect(await passagesOf(other.id)).toHaveLength(1);
  await lucia.api.passages.restore({ id: (await passagesOf(other.id))[0]!.id });
  await expect(replace([other.id, one.id])).toFailWith('passage.overlaps');
  expect(await passagesOf(other.id)).toEqual([]);
  await expect(replace([other.id, stranger.id])).toFailWith('episode.not_found');
  expect(await passagesOf(other.id)).toEqual([]);
});

test('passages don’t overlap, lie in the episode, and are the creator’s own', async () => {
  const { id } = await soundEpisode(podcast, { seconds: 20 });
  const { id: clipId } = await clip();
  const other = await soundEpisode(await make.product(ada), { seconds: 20 });
  const replace = (fromMs: number, toMs: number) => lucia.api.passages.replace({ id, fromMs, toMs });
  await replace(5000, 8000);
  const [passage] = await passagesOf(id);

  await expect(replace(7000, 9000)).toFailWith('passage.overlaps');
  await expect(replace(9000, 9100)).toFailWith('passage.too_short');
  await expect(replace(15_000, 60_000)).toFailWith('passage.outside');
  await expect(ada.api.passages.replace({ id, fromMs: 0, toMs: 1000 })).toFailWith('episode.not_found');
  await expect(ada.api.passages.replace({ id: other.id, fromMs: 0, toMs: 1000, clipId })).toFailWith('clip.not_found');
  await expect(ada.api.passages.restore({ id: passage!.id })).toFailWith('passage.not_found');
  const both = await Promise.allSettled([replace(0, 2000), replace(1000, 3000)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('after the audio was replaced, listeners get all of the new file', async () => {
  const { id, productId } = await soundEpisode(podcast, { seconds: 20 });
  await lucia.api.passages.replace({ id, fromMs: 5000, toMs: 8000 });
  const [{ audioKey } = { audioKey: null }] = await db.select().from(episodes).where(eq(episodes.id, id));

  await db.update(episodes).set({ audioKey: 'audio/new.mp3' }).where(eq(episodes.id, id));
  expect(await passagesOf(id)).toMatchObject([{ isOfFormerFile: true }]);
  expect((await loadInsertables(runtime, productId, [id]))[0]!.passages).toEqual([]);
  // a new passage may lie there
  await lucia.api.passages.replace({ id, fromMs: 5000, toMs: 8000 });

  expect(await db.$count(replacedPassages, eq(replacedPassages.episodeId, id))).toBe(2);
  expect(audioKey).not.toBeNull();
});
