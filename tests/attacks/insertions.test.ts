import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { insertionCampaigns } from '~/db/schema/insertions';
import { renditionDownloads, renditions } from '~/db/schema/renditions';
import { DAYS, HOURS, later } from '~/server/base/time';
import { chooseClips } from '~/server/domain/insertions/choose-clips';
import { lookupInsertions } from '~/server/domain/insertions/hold-rendition';
import { loadInsertables } from '~/server/domain/insertions/insertables';
import { ensureRendition } from '~/server/domain/insertions/renditions';
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

test('a campaign that plays the clip of a former one counts for itself, and what began before for the former', async () => {
  clock.now = noon;
  const { show, episode, spot, campaign: former } = await sponsored();
  const [one, other] = [newListener(), newListener()];
  const before = (await ledTo(episode, { address: one }))!;
  clock.now = later(noon, HOURS(1));
  await db.update(insertionCampaigns).set({ endedAt: clock.now }).where(eq(insertionCampaigns.id, former.id));
  const next = await campaign(show, [spot], { cap: 10 });
  changed();

  const after = (await ledTo(episode, { address: other }))!;
  const bodies = [await ask(before, { address: one }), await ask(after, { address: other })];
  await counted();

  expect(bodies[0]!.body.equals(bodies[1]!.body)).toBe(true);
  expect(await campaignRow(former.id)).toMatchObject({ impressions: 1 });
  expect(await campaignRow(next.id)).toMatchObject({ impressions: 1, reserved: 0 });
});

test('an episode that has the file of another one has clips, too', async () => {
  clock.now = noon;
  const { show, episode, spot, campaign: row } = await sponsored();
  const { audioKey, body } = episode;
  const copy = await soundEpisode(show, { file: body, audioKey });

  const addresses = [newListener(), newListener()];
  const paths = [await ledTo(episode, { address: addresses[0]! }), await ledTo(copy, { address: addresses[1]! })];
  for (const [i, path] of paths.entries()) {
    const { status, body: heard } = await ask(path!, { address: addresses[i]! });
    expect([status, heard.includes(spot.body)]).toEqual([200, true]);
  }
  await counted();
  expect(await campaignRow(row.id)).toMatchObject({ impressions: 2 });
});

test('a crowd after a restart has each file read and each rendition made once', async () => {
  clock.now = noon;
  const { show, episode } = await sponsored();
  const { storage } = runtime.ports;
  const done: string[] = [];
  // another store has no caches yet
  const counting = Object.create(storage) as typeof storage;
  counting.read = (...args) => {
    done.push(`read ${args[0]}`);
    return storage.read(...args);
  };
  counting.put = (...args) => {
    done.push(`put ${args[0]}`);
    return storage.put(...args);
  };
  const ctx = { ...runtime, ports: { ...runtime.ports, storage: counting } };
  const [found] = await loadInsertables(ctx, show.id, [episode.id]);
  const arrangement = chooseClips(found!, { door: 'public_feed', country: null, turn: '' });

  const made = await Promise.all(Array.from({ length: 20 }, () => ensureRendition(ctx, found!.source, arrangement)));

  expect(new Set(made.map((each) => each?.id)).size).toBe(1);
  expect(made[0]).not.toBeNull();
  expect(done.toSorted()).toEqual([...new Set(done)].toSorted());
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
