import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { episodeChapters, episodeTranscripts } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { insertionCampaigns, replacedPassages } from '~/db/schema/insertions';
import { bufferSource } from '~/server/audio/bytes';
import { indexMp3 } from '~/server/audio/indexing';
import { SESSION_COOKIE } from '~/server/auth/sessions';
import { refreshServed } from '~/server/domain/insertions/served-lengths';
import { episodeAudioDoor } from '~/server/doors/audio/episode-audio';
import { createSoundFileCache, soundFilesDoor } from '~/server/doors/audio/sound-files';
import { transcriptsDoor } from '~/server/doors/audio/transcripts';
import { createEnclosureCache } from '~/server/http/caches/enclosure-cache';
import { createPageCache } from '~/server/http/caches/page-cache';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { insertionMakers } from '../support/insertions';

const { runtime, make } = await cast({ empty: true });
const { soundEpisode, clip, campaign } = insertionMakers(runtime, make);
const [enclosures, soundFiles] = [createEnclosureCache(runtime), createSoundFileCache(runtime)];
const pages = createPageCache({ bytes: 1e6, ceiling: 60_000, now: Date.now });
const doors = [
  episodeAudioDoor(runtime, { trustedProxies: 1, enclosures }),
  soundFilesDoor(runtime, soundFiles, 1),
  transcriptsDoor(runtime, pages, 1),
];
const server = http.createServer(async (req, res) => {
  for (const door of doors) if (await door(req, res)) return;
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const creator = await make.creator();
const ctx = systemCtx(runtime, 'insertions.refresh-served');
const get = (path: string, address: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { 'user-agent': 'AntennaPod/3.1.2', 'x-forwarded-for': address, ...headers },
  });

/** An episode with three chapters and two cues; a clip of two seconds before it, and its seconds 6 to 8 left out. */
async function insertedEpisode() {
  const show = await make.product(creator);
  const episode = await soundEpisode(show, {});
  const chapter = { url: null, imageKey: null };
  const starts = [
    { ...chapter, startMs: 0, title: 'Uno' },
    { ...chapter, startMs: 6200, title: 'Fuera' },
    { ...chapter, startMs: 7900, title: 'Dos' },
  ];
  await runtime.db.insert(episodeChapters).values({ episodeId: episode.id, chapters: starts, edited: true });
  const cue = { speaker: null, startMs: 1000, endMs: 2000, text: 'Hola' };
  const cues = [
    cue,
    { ...cue, startMs: 6100, endMs: 7000, text: 'Fuera' },
    { ...cue, startMs: 9000, endMs: 9500, text: 'Fin' },
  ];
  await runtime.db
    .insert(episodeTranscripts)
    .values({ episodeId: episode.id, source: 'vtt', fileName: 'a.vtt', language: 'es', cues });
  const spot = await clip(creator);
  const row = await campaign(show, [spot]);
  const passage = { creatorId: creator.creatorId, episodeId: episode.id, fromMs: 6000, toMs: 8000 };
  await runtime.db.insert(replacedPassages).values(passage);
  await refreshServed(ctx, { productId: show.id });
  for (const cache of [enclosures, soundFiles]) cache.clear();
  const found = await indexMp3(bufferSource(spot.body));
  if (!found.ok) throw new Error(found.reason);
  return { show, episode, campaign: row, spotSeconds: found.mp3.durationMs / 1000 };
}

async function timesOf(id: number, address: string, headers = {}) {
  const chapters = await (await get(`/audio/${id}/chapters.json`, address, headers)).json();
  const transcript = await get(`/transcripts/${id}/a.json`, address, headers);
  const { segments } = await transcript.json();
  return {
    chapters: chapters.chapters.map(({ startTime, title }: { startTime: number; title: string }) => [title, startTime]),
    cues: segments.map(({ startTime, body }: { startTime: number; body: string }) => [body, startTime]),
    cached: transcript.headers.get('cache-control'),
  };
}

/** Cuts are at frames, and each needs one more. */
const near = (seconds: number) => expect.closeTo(seconds, 0.8);

test('chapters and transcripts have the times of what a listener gets', async () => {
  const { episode, spotSeconds } = await insertedEpisode();

  const { chapters, cues, cached } = await timesOf(episode.id, '198.51.100.1');

  expect(chapters).toEqual([
    ['Uno', near(spotSeconds)],
    ['Dos', near(spotSeconds + 6)],
  ]);
  expect(cues).toEqual([
    ['Hola', near(spotSeconds + 1)],
    ['Fin', near(spotSeconds + 7)],
  ]);
  expect(cached).toBe('private, no-store');
});

test('the times are those of the rendition that a listener has begun, also after its campaign has ended', async () => {
  const { show, episode, campaign: row, spotSeconds } = await insertedEpisode();
  const [early, late] = ['198.51.100.2', '198.51.100.3'];
  await (await get(`/audio/${episode.id}/a.mp3`, early)).arrayBuffer();
  await runtime.db.update(insertionCampaigns).set({ isActive: false }).where(eq(insertionCampaigns.id, row.id));
  await refreshServed(ctx, { productId: show.id });

  const [before, after] = [await timesOf(episode.id, early), await timesOf(episode.id, late)];

  expect(before.cues[0]).toEqual(['Hola', near(spotSeconds + 1)]);
  expect(after.cues).toEqual([
    ['Hola', 1],
    ['Fin', near(7)],
  ]);
});

test('the team hears the file itself, and gets its times', async () => {
  const { episode } = await insertedEpisode();

  const headers = { cookie: `${SESSION_COOKIE}=${creator.token}` };

  const { chapters, cues } = await timesOf(episode.id, '198.51.100.4', headers);
  const timeline = await get(`/audio/${episode.id}/timeline.json`, '198.51.100.4', headers);

  expect(await timeline.json()).toEqual([]);
  expect(chapters.map(([, start]: [string, number]) => start)).toEqual([0, 6.2, 7.9]);
  expect(cues.map(([, start]: [string, number]) => start)).toEqual([1, 6.1, 9]);
});

test('the transcript of a private episode with clips is for its team only, and missing ones are not found', async () => {
  const { episode } = await insertedEpisode();
  await runtime.db.update(episodes).set({ type: 'private' }).where(eq(episodes.id, episode.id));
  const headers = { cookie: `${SESSION_COOKIE}=${creator.token}` };
  const read = async (by = {}) => (await get(`/transcripts/${episode.id}/a.json`, '198.51.100.9', by)).status;

  const statuses = [await read(), await read(headers)];
  await runtime.db.delete(episodeTranscripts).where(eq(episodeTranscripts.episodeId, episode.id));

  expect(statuses).toEqual([404, 200]);
  expect([await read(), await read(headers)]).toEqual([404, 404]);
});

test('our player gets the parts of the episode in what a listener hears', async () => {
  const { episode, spotSeconds } = await insertedEpisode();

  const timeline = await get(`/audio/${episode.id}/timeline.json`, '198.51.100.5');

  expect(await timeline.json()).toEqual([
    { heard: near(spotSeconds), episode: 0, seconds: near(6) },
    { heard: near(spotSeconds + 6), episode: near(8), seconds: expect.any(Number) },
  ]);
});

test('an episode without clips has no timeline, and neither has one that a visitor may not hear', async () => {
  const show = await make.product(creator);
  const plain = await soundEpisode(show, {});
  const { episode: locked } = await insertedEpisode();
  await runtime.db.update(episodes).set({ type: 'private' }).where(eq(episodes.id, locked.id));
  soundFiles.clear();

  const statuses = [plain, locked].map(async ({ id }) => {
    const { status } = await get(`/audio/${id}/timeline.json`, '198.51.100.6');
    return status;
  });

  expect(await Promise.all(statuses)).toEqual([404, 404]);
});
