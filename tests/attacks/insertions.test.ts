import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { insertionCampaigns } from '~/db/schema/insertions';
import { renditionDownloads, renditions } from '~/db/schema/renditions';
import { DAYS, HOURS, later } from '~/server/base/time';
import { lookupInsertions } from '~/server/domain/insertions/hold-rendition';
import { removeUnused } from '~/server/domain/media/erase-objects';
import { RENDITION_LIMITS } from '~/server/limits/insertions';
import { systemCtx } from '~/server/runtime/runtime';
import { type Asked, audioPath, insertionDoor } from '../support/insertion-door';

const stage = await insertionDoor();
const { runtime, clock, noon, make, creator, ask, newListener, changed, counted, campaignRow, impressionsOf } = stage;
const { sponsored, soundEpisode, clip, campaign } = stage;
const { db } = runtime;

const ledTo = async (episode: { id: number }, asked: Asked = {}) =>
  (await ask(audioPath(episode), asked)).headers.location ?? null;
const downloadsOf = (episode: { id: number }) =>
  db.$count(renditionDownloads, eq(renditionDownloads.episodeId, episode.id));

test('one address with many user agents can neither empty a cap nor fill a table', async () => {
  clock.now = noon;
  const { episode, campaign: row } = await sponsored({ cap: 1000 });

  const address = newListener();
  for (let i = 0; i < RENDITION_LIMITS.perAddress + 20; i++)
    expect(await ledTo(episode, { address, agent: `Phone ${i}/1.0`, method: i % 2 ? 'HEAD' : 'GET' })).not.toBeNull();

  expect(await campaignRow(row.id)).toMatchObject({ reserved: RENDITION_LIMITS.perAddress });
  expect(await downloadsOf(episode)).toBe(RENDITION_LIMITS.perAddress);
});

test('clips that take turns in many places make few renditions', async () => {
  clock.now = noon;
  const show = await make.product(creator);
  const episode = await soundEpisode(show);
  for (const [rank, clips] of [5, 4, 3].entries()) {
    const spots = Array.from({ length: clips }, (_, i) => clip(creator, { seconds: 1, seed: 10 * clips + i }));
    await campaign(show, await Promise.all(spots), { place: rank === 0 ? 'post' : 'pre', rank });
  }
  changed();

  const listeners = 3 * RENDITION_LIMITS.turns;
  for (let i = 0; i < listeners; i++) expect(await ledTo(episode, { address: newListener() })).not.toBeNull();

  const made = await db.$count(renditions, eq(renditions.episodeId, episode.id));
  expect(made).toBeGreaterThan(RENDITION_LIMITS.turns / 2);
  expect(made).toBeLessThanOrEqual(RENDITION_LIMITS.turns);
});

test('a shared address of a rendition keeps no replaced audio', async () => {
  clock.now = noon;
  const { episode } = await sponsored();
  const address = newListener();
  const path = (await ledTo(episode, { address }))!;
  await ask(path, { address });
  await counted();
  await db
    .update(episodes)
    .set({ audioKey: `${episode.audioKey!.slice(0, -8)}new.mp3` })
    .where(eq(episodes.id, episode.id));
  changed();

  for (const hours of [20, 40, 60]) {
    clock.now = later(noon, HOURS(hours));
    await ask(path, { address: newListener() });
    await counted();
  }
  clock.now = later(noon, HOURS(61));
  await removeUnused(systemCtx(runtime, 'test'), { keys: [episode.audioKey!], folders: [] });

  expect(await runtime.ports.storage.head(episode.audioKey!)).toBeNull();
});

test.each([
  ['ended', () => ({ endedAt: later(noon, HOURS(1)) })],
  ['over', () => ({ lastDay: noon.toISOString().slice(0, 10) })],
  ['deleted', () => ({ deletedAt: later(noon, HOURS(1)) })],
  ['paused', () => ({ isActive: false, updatedAt: later(noon, HOURS(1)) })],
])('a shared address of a rendition makes no impressions once its campaign is %s', async (_, change) => {
  clock.now = noon;
  const { episode, campaign: row } = await sponsored();
  const address = newListener();
  const path = (await ledTo(episode, { address }))!;
  await db.update(insertionCampaigns).set(change()).where(eq(insertionCampaigns.id, row.id));
  await ask(path, { address });
  await counted();
  expect(await campaignRow(row.id)).toMatchObject({ impressions: 1 });

  clock.now = later(noon, DAYS(2));
  const late = await ask(path, { address: newListener() });
  await counted();

  expect(late.status).toBe(200);
  expect(await campaignRow(row.id)).toMatchObject({ impressions: 1 });
  expect(await impressionsOf(row.id)).toHaveLength(1);
});

test('a campaign whose last day was long ago costs its episodes nothing', async () => {
  clock.now = noon;
  const day = (after: number) => later(noon, DAYS(after)).toISOString().slice(0, 10);
  const { episode: former } = await sponsored({ lastDay: day(-2) });
  // the day may not be over in the creator's time zone
  const { episode: recent } = await sponsored({ lastDay: day(-1) });

  expect(await lookupInsertions(runtime, former.id)).toBe(false);
  expect(await lookupInsertions(runtime, recent.id)).toBe(true);
});

test('addresses of renditions that this episode does not have lead to the episode', async () => {
  clock.now = noon;
  const { episode } = await sponsored();
  const other = await sponsored();
  const foreign = (await ledTo(other.episode, { address: newListener() }))!.split('/')[3]!;

  for (const id of ['f'.repeat(32), foreign]) {
    const { status, headers } = await ask(`/audio/${episode.id}/${id}/name.mp3`);
    expect([status, headers.location]).toEqual([302, audioPath(episode)]);
  }
});
