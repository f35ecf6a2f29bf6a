import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { later, MINUTES } from '~/server/base/time';
import { recoverEpisodes } from '~/server/domain/episodes/audio-check';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { feedOrigin } from '../support/feed-origin';
import { mp3 } from '../support/mp3';
import { fetchNewAudio } from '../support/run-jobs';
import { testFetcher } from '../support/test-fetcher';
import { keyMaker, v1Client } from '../support/v1-client';

const opened = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const { runtime, make, clock, checkNewAudio, visitor } = opened;
const fetcher = testFetcher({ limits: { attempts: 1 } });
runtime.ports.fetcher = fetcher;
const origin = await feedOrigin();
afterAll(() => Promise.all([fetcher.close(), origin.close()]));
const api = v1Client(opened);
const keyOf = keyMaker(opened);
const start = clock.now;
beforeEach(() => {
  origin.answers.clear();
  origin.requests = [];
});
afterEach(() => {
  clock.now = start;
});

async function withShow() {
  const owner = await make.creator();
  const key = await keyOf(owner);
  const show = await make.product(owner);
  const create = (over: object = {}) =>
    api.post(`/shows/${show.id}/episodes`, {
      key,
      json: { name: 'A wave', description: '<p>The sea</p>', audio_url: `${origin.url}/wave.mp3`, ...over },
    });
  const read = async (id: unknown) => (await api.get(`/episodes/${id}`, { key })).body;
  const change = (id: unknown, json: object) => api.patch(`/episodes/${id}`, { key, json });
  return { owner, key, show, create, read, change };
}
const settle = async () => {
  await fetchNewAudio(runtime);
  await checkNewAudio();
};
/** Until the next attempt after a temporary fault. */
const pass = async (ms = MINUTES(10)) => {
  clock.now = later(clock.now, ms);
  await recoverEpisodes(systemCtx(runtime, 'episodes.recover'));
};

test('an episode is created from an address: fetched, checked, and published as the call says', async () => {
  const { create, read } = await withShow();

  const made = await create();
  const before = await read(made.body.id);
  await fetchNewAudio(runtime);
  const arrived = await read(made.body.id);
  await checkNewAudio();
  const ready = await read(made.body.id);

  expect([made.status, made.body.status]).toEqual([201, 'in_progress']);
  expect(before).toMatchObject({
    audio: { status: 'fetching', error: null },
    file_name: 'wave.mp3',
    status: 'in_progress',
  });
  expect(arrived).toMatchObject({ audio: { status: 'checking', error: null } });
  expect(ready).toMatchObject({
    audio: { status: 'ready', error: null },
    status: 'published',
    duration_seconds: expect.closeTo(2, 1),
  });
  expect(origin.requests).toEqual(['/wave.mp3']);
});

test.each([
  ['a draft', { hold: true }, 'on_hold'],
  ['a later release', { release_date: '2026-03-05T08:00:00Z' }, 'scheduled'],
])('%s that was asked for in the same call is honoured', async (_, over, status) => {
  const { create, read } = await withShow();
  const { body } = await create(over);

  await settle();

  expect(await read(body.id)).toMatchObject({ status, audio: { status: 'ready' } });
});

test('publishing an episode whose audio is on its way is refused, and changes nothing', async () => {
  const { key, create, read } = await withShow();
  const { body } = await create({ hold: true });

  const refused = await api.post(`/episodes/${body.id}/publish`, { key });

  expect([refused.status, refused.body.code]).toEqual([409, 'episode.being_checked']);
  await settle();
  expect(await read(body.id)).toMatchObject({ status: 'on_hold' });
});

test('a missing file fails in words, and another address is fetched instead', async () => {
  const { create, read, change } = await withShow();
  origin.answers.set('/gone.mp3', (_, response) => void response.writeHead(404).end());
  const { body } = await create({ audio_url: `${origin.url}/gone.mp3` });

  await settle();
  const failed = await read(body.id);
  const again = await change(body.id, { audio_url: `${origin.url}/wave.mp3` });
  await settle();

  expect(failed).toMatchObject({
    status: 'failed',
    audio: { status: 'failed', error: expect.stringContaining('404') },
  });
  expect(again.body).toMatchObject({ status: 'in_progress', audio: { status: 'fetching', error: null } });
  expect(await read(body.id)).toMatchObject({ status: 'published', audio: { status: 'ready' } });
});

test('a file that is no audio fails its check like an upload', async () => {
  const { create, read } = await withShow();
  origin.answers.set('/page.mp3', (_, response) => void response.end('<!doctype html><p>Log in</p>'));
  const { body } = await create({ audio_url: `${origin.url}/page.mp3` });

  await settle();

  expect(await read(body.id)).toMatchObject({ status: 'failed', audio: { status: 'failed' } });
});

test('a temporary fault is told while the next attempt waits, and forgotten once the file is there', async () => {
  const { create, read } = await withShow();
  origin.answers.set('/wave.mp3', (_, response) => void response.writeHead(503).end());
  const { body } = await create();

  await settle();
  const late = await read(body.id);
  origin.answers.clear();
  await fetchNewAudio(runtime);
  const tooEarly = origin.requests.length;
  await pass();
  await settle();

  expect(late).toMatchObject({ status: 'in_progress', audio: { status: 'fetching' } });
  expect((late.audio as { error: string }).error).toContain('127.0.0.1');
  expect(tooEarly).toBe(1);
  expect(await read(body.id)).toMatchObject({
    status: 'published',
    failure_reason: null,
    audio: { status: 'ready', error: null },
  });
});

test('after five attempts it fails, and the same address may be sent again', async () => {
  const { create, read, change } = await withShow();
  origin.answers.set('/wave.mp3', (_, response) => void response.writeHead(500).end());
  const { body } = await create();

  for (let attempt = 0; attempt < 6; attempt += 1) {
    await settle();
    await pass();
  }
  const failed = await read(body.id);
  origin.answers.clear();
  await change(body.id, { audio_url: `${origin.url}/wave.mp3` });
  await settle();

  expect(origin.requests).toHaveLength(6);
  expect(failed).toMatchObject({ status: 'failed', audio: { status: 'failed' } });
  expect(await read(body.id)).toMatchObject({ status: 'published' });
});

test('while its file waits for a place, the same address changes nothing, and another one replaces it', async () => {
  const { create, read, change } = await withShow();
  const [running] = [await create(), await create()];
  const { body } = await create({ audio_url: `${origin.url}/third.mp3` });

  await change(body.id, { audio_url: `${origin.url}/third.mp3`, name: 'Renamed' });
  const changed = await change(body.id, { audio_url: `${origin.url}/other.mp3` });
  const refused = await change(running!.body.id, { audio_url: `${origin.url}/other.mp3` });
  while ((await fetchNewAudio(runtime)) > 0);
  await checkNewAudio();

  expect([changed.status, refused.status, refused.body.code]).toEqual([200, 409, 'episode.being_fetched']);
  expect(origin.requests.toSorted()).toEqual(['/other.mp3', '/wave.mp3', '/wave.mp3']);
  expect(await read(body.id)).toMatchObject({ name: 'Renamed', file_name: 'other.mp3', status: 'published' });
});

test('an upload replaces a file that waits for its place', async () => {
  const { owner, create, read, change } = await withShow();
  for (let i = 0; i < 2; i += 1) await create();
  const { body } = await create({ audio_url: `${origin.url}/third.mp3` });

  await change(body.id, { file_key: await make.upload(owner, 'episode_audio', mp3(4)) });
  await settle();

  expect(origin.requests).not.toContain('/third.mp3');
  expect(await read(body.id)).toMatchObject({ status: 'published', duration_seconds: expect.closeTo(4, 1) });
});

test('a published episode keeps its audio until the other file has passed, or has failed', async () => {
  const { create, read, change } = await withShow();
  const { body } = await create();
  await settle();
  origin.files.set('/longer.mp3', mp3(5));
  origin.answers.set('/gone.mp3', (_, response) => void response.writeHead(410).end());

  await change(body.id, { audio_url: `${origin.url}/gone.mp3` });
  const fetching = await read(body.id);
  await settle();
  const failed = await read(body.id);
  await change(body.id, { audio_url: `${origin.url}/longer.mp3` });
  await settle();

  expect(fetching).toMatchObject({
    status: 'published',
    duration_seconds: expect.closeTo(2, 1),
    audio: { status: 'fetching' },
  });
  expect(failed).toMatchObject({
    status: 'published',
    duration_seconds: expect.closeTo(2, 1),
    audio: { status: 'failed' },
  });
  expect(await read(body.id)).toMatchObject({
    status: 'published',
    duration_seconds: expect.closeTo(5, 1),
    audio: { status: 'ready' },
  });
  expect(await visitor.episodes.get({ id: Number(body.id) })).toMatchObject({ fetchedFrom: null });
});

test('an upload or an address is needed, and not both', async () => {
  const { owner, create } = await withShow();
  const file_key = await make.upload(owner, 'episode_audio');

  const [both, none] = [await create({ file_key }), await create({ audio_url: undefined, name: '' })];

  expect([both.status, Object.keys(both.body.errors as object)]).toEqual([400, ['audio_url']]);
  expect([none.status, Object.keys(none.body.errors as object).toSorted()]).toEqual([400, ['file_key', 'name']]);
});

test('an Idempotency-Key makes one episode, which is fetched once', async () => {
  const { key, show } = await withShow();
  const json = { name: 'Once', description: 'x', audio_url: `${origin.url}/wave.mp3` };
  const send = () => api.post(`/shows/${show.id}/episodes`, { key, json, headers: { 'idempotency-key': 'one' } });

  const [first, second] = [await send(), await send()];
  await settle();

  expect(second.body.id).toBe(first.body.id);
  expect(origin.requests).toEqual(['/wave.mp3']);
});

test('a creator has at most 20 files on their way, and other creators have room', async () => {
  const [{ owner, show, create }, other] = [await withShow(), await withShow()];
  const made = [];
  while (made.length < 20) made.push((await create()).status);

  const refused = await create();
  const { items } = await owner.api.episodes.list({ productId: show.id });
  await owner.api.episodes.remove({ id: items[0]!.id });
  expect((await create()).status).toBe(429);

  expect(new Set(made)).toEqual(new Set([201]));
  expect([refused.status, refused.body.code]).toEqual([429, 'episode.too_many_fetches']);
  expect((await other.create()).status).toBe(201);
  while ((await fetchNewAudio(runtime)) > 0);
  expect((await create()).status).toBe(201);
});

test('without a verified address, a creator has at most 2 files on their way', async () => {
  const { owner, create } = await withShow();
  await runtime.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, owner.id));

  const made = [await create(), await create(), await create()];

  expect(made.map(({ status }) => status)).toEqual([201, 201, 429]);
  expect(made[2]!.body.code).toBe('episode.too_many_fetches');
});

test('the audio of episodes gets another address 60 times an hour, while other fields have no such limit', async () => {
  const { create, change } = await withShow();
  const { body } = await create();
  const changes = [];
  while (changes.length < 60) changes.push((await change(body.id, { audio_url: `${origin.url}/wave.mp3` })).status);

  const refused = await change(body.id, { audio_url: `${origin.url}/wave.mp3` });

  expect(new Set(changes)).toEqual(new Set([200]));
  expect([refused.status, refused.body.code]).toEqual([429, 'common.too_many_requests']);
  expect((await change(body.id, { name: 'Renamed' })).status).toBe(200);
});
