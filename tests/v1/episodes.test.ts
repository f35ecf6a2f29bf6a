import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { cast } from '../support/cast';
import { keyMaker, v1Client } from '../support/v1-client';

const opened = await cast();
const { runtime, make, checkNewAudio } = opened;
const api = v1Client(opened);
const keyOf = keyMaker(opened);

async function withShow() {
  const owner = await make.creator();
  const key = await keyOf(owner);
  const show = await make.product(owner);
  const create = async (over: object = {}) => {
    const file_key = await make.upload(owner, 'episode_audio');
    const json = { name: 'The first wave', description: '<p onclick="x()">The sea</p>', file_key, hold: true, ...over };
    return api.post(`/shows/${show.id}/episodes`, { key, json });
  };
  return { owner, key, show, create };
}

test('an episode is created from an upload, checked, published and put on hold again', async () => {
  const { key, show, create } = await withShow();

  const created = await create({ people: [{ name: 'Ana', role: 'host' }], season: 2 });
  await checkNewAudio();
  const path = `/episodes/${created.body.id}`;
  const held = await api.get(path, { key });
  const published = await api.post(`${path}/publish`, { key });
  const again = await api.post(`${path}/unpublish`, { key });

  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    status: 'in_progress',
    description: '<p>The sea</p>',
    season: 2,
    show_id: show.id,
  });
  expect(created.body.people).toEqual([{ name: 'Ana', role: 'host', url: null }]);
  expect(held.body).toMatchObject({ status: 'on_hold', is_held: true, file_name: 'file.mp3' });
  expect(published.body).toMatchObject({ status: 'published', release_date: '2026-03-02T09:00:00.000Z' });
  expect(again.body.status).toBe('on_hold');
});

test('publishing what is published, or can’t be, has a reason of its own', async () => {
  const { key, create, show } = await withShow();
  const { body: held } = await create();
  const publish = (id: unknown) => api.post(`/episodes/${id}/publish`, { key });
  const codes = [await publish(held.id)];
  await checkNewAudio();

  codes.push(await publish(held.id), await publish(held.id));
  codes.push(await api.post(`/episodes/${held.id}/unpublish`, { key }));
  codes.push(await api.post(`/episodes/${held.id}/unpublish`, { key }));
  const { body: broken } = await create({ hold: false });
  await runtime.db
    .update(episodes)
    .set({ status: 'failed' })
    .where(eq(episodes.id, broken.id as number));
  codes.push(await publish(broken.id));

  expect(codes.map(({ status, body }) => [status, body.code ?? body.status])).toEqual([
    [409, 'episode.being_checked'],
    [200, 'published'],
    [409, 'episode.already_published'],
    [200, 'on_hold'],
    [409, 'episode.already_on_hold'],
    [409, 'episode.needs_audio'],
  ]);
  expect((await api.get(`/shows/${show.id}/episodes?status=failed`, { key })).body.total).toBe(1);
});

test('an upload is asked for, and where to send it is answered', async () => {
  const { key } = await withShow();
  const json = { file_name: 'a.mp3', content_type: 'audio/mpeg', file_size: 4000, purpose: 'episode_audio' };

  const { status, body } = await api.post('/uploads', { key, json });

  expect(status).toBe(201);
  expect(body).toMatchObject({ key: expect.stringMatching(/^[0-9a-f]{32}$/), method: 'POST', url: expect.any(String) });
});

test('a key for shows may upload covers, too', async () => {
  const owner = await make.creator();
  const key = await keyOf(owner, ['shows:write']);
  const json = { file_name: 'a.png', content_type: 'image/png', file_size: 4000, purpose: 'cover' };

  expect((await api.post('/uploads', { key, json })).status).toBe(201);
});

test('chapters are replaced, and errors name their place', async () => {
  const { key, create } = await withShow();
  const { body } = await create();
  await checkNewAudio();
  const path = `/episodes/${body.id}/chapters`;

  const saved = await api.put(path, { key, json: { chapters: [{ start_ms: 0, title: 'Start' }] } });
  const read = await api.get(path, { key });
  const refused = await api.put(path, { key, json: { chapters: [{ start_ms: -1, title: '' }] } });

  expect(saved.body).toEqual({ chapters: [{ start_ms: 0, title: 'Start', url: null, image_key: null }] });
  expect(read.body).toEqual(saved.body);
  expect(refused.status).toBe(400);
  expect(Object.keys(refused.body.errors as object)).toEqual(['chapters.0.start_ms', 'chapters.0.title']);
});

test('a transcript is stored, read and removed', async () => {
  const { key, create } = await withShow();
  const { body } = await create();
  const path = `/episodes/${body.id}/transcript`;
  const content = Buffer.from('This is the sea.').toString('base64');

  const stored = await api.put(path, { key, json: { file_name: 'wave.txt', content } });
  const read = await api.get(path, { key });
  const removed = await api.delete(path, { key });
  const none = await api.get(path, { key });

  expect(stored.body).toEqual({ cues: 1 });
  expect(read.body).toMatchObject({ text: 'This is the sea.', source: 'text' });
  expect([removed.status, removed.text]).toEqual([204, '']);
  expect([none.status, none.body.code]).toEqual([404, 'transcript.not_found']);
});

test('an episode is deleted', async () => {
  const { key, create } = await withShow();
  const { body } = await create();

  expect((await api.delete(`/episodes/${body.id}`, { key })).status).toBe(204);
  expect((await api.get(`/episodes/${body.id}`, { key })).status).toBe(404);
});
