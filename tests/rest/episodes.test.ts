import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { legacyClient, rowsOf } from '../support/legacy';
import { id3v2, noise } from '../support/mp3';

const opened = await cast();
const { make, checkNewAudio } = opened;
const api = legacyClient(opened);
const NOT_FOUND = { detail: 'Not found.' };

async function withPodcast(kind: 'podcast' | 'audio_series' = 'podcast') {
  const owner = await make.creator();
  return { ...owner, podcast: await make.product(owner, { kind }) };
}

test.each([
  ['episodes', 'podcast'],
  ['audio-series-episodes', 'audio_series'],
] as const)('POST %s/ publishes an uploaded file after its check', async (path, kind) => {
  const { token, podcast } = await withPodcast(kind);
  const json = {
    product_id: podcast.id,
    name: 'Primera ola',
    description: '<p onclick="x()">De qué va</p><script>alert(1)</script>',
    private_note: 'Only for me',
    file_key: await make.upload({ token }, 'episode_audio'),
    cover_key: await make.upload({ token }, 'cover'),
    type: 'trailer',
    season: 1,
    number: '7',
    explicit: true,
    send_email: false,
  };

  const created = await api.post(`${path}/`, { token, json });
  await checkNewAudio();
  const settled = await api.get(`${path}/${created.body.id}/`, { token });

  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    audio_type: kind,
    product_id: podcast.id,
    status: 'in_progress',
    description: '<p>De qué va</p>',
    url: null,
    private_note: 'Only for me',
  });
  expect(settled.body).toMatchObject({
    status: 'published',
    url: `http://altavoz.localhost:3000/audio/${created.body.id}/primera-ola.mp3`,
    has_access: true,
    file_name: 'file.mp3',
    season: 1,
    number: 7,
    explicit: true,
    send_email: false,
    type: 'trailer',
    promo: null,
    transcript_status: 'none',
    failure_reason: null,
  });
  expect(settled.body.duration).toBeCloseTo(3, 0);
  expect(settled.body.release_date).toBe('2026-03-02T09:00:00.000Z');
});

test('an episode with a future release date is scheduled, and only its owner sees it', async () => {
  const { token, podcast } = await withPodcast();
  const json = {
    product_id: podcast.id,
    name: 'Mañana',
    description: 'Pronto',
    file_key: await make.upload({ token }, 'episode_audio'),
    release_date: '2026-03-03T10:00:00+01:00',
  };

  const { body } = await api.post('episodes/', { token, json });
  await checkNewAudio();
  const other = await make.creator();

  expect((await api.get(`episodes/${body.id}/`, { token })).body).toMatchObject({
    status: 'scheduled',
    release_date: '2026-03-03T09:00:00.000Z',
  });
  for (const sent of [{}, { token: other.token }, { token: 'undefined' }]) {
    const responses = [
      await api.get(`episodes/${body.id}/`, sent),
      await api.get(`open-episode/${body.id}/`, sent),
      await api.get(`podcast-episode-play/${body.id}/`, sent),
      await api.get(`other-episodes/${body.id}/`, sent),
    ];
    for (const { status, body } of responses) expect([status, body]).toEqual([404, NOT_FOUND]);
  }
  expect((await api.get(`open-episode/${body.id}/`, { token })).status).toBe(404);
});

test('a file that is not MP3 fails, and the owner sees the reason in the request’s language', async () => {
  const { token, podcast } = await withPodcast();
  const file_key = await make.upload(
    { token },
    'episode_audio',
    Buffer.concat([id3v2(200), Buffer.from('RIFF\0\0\0\0WAVEfmt '), noise(9000)]),
  );
  const json = { product_id: podcast.id, name: 'No', description: 'No', file_key };

  const { body } = await api.post('episodes/', { token, json });
  await checkNewAudio();
  const settled = await api.get(`episodes/${body.id}/`, { token, headers: { 'accept-language': 'es' } });

  expect(settled.body).toMatchObject({ status: 'failed', url: null });
  expect(settled.body.failure_reason).toBe(
    'Este archivo es WAV, aunque su nombre termina en .mp3. Expórtalo como MP3 y vuelve a subirlo.',
  );
});

test('missing fields are reported one by one', async () => {
  const { token, podcast } = await withPodcast();
  const json = { product_id: podcast.id, release_date: 'tomorrow', type: 'secret', slug: 'a b' };

  const { status, body } = await api.post('episodes/', { token, json });

  expect(status).toBe(400);
  expect(body).toEqual({
    name: ['Name is required'],
    description: [expect.any(String)],
    file_key: ['Please upload file'],
    release_date: ['Choose a date and a time.'],
    type: [expect.any(String)],
    slug: ['Invalid slug name'],
  });
});

test('a publish time in the past is rejected', async () => {
  const { token, podcast } = await withPodcast();
  const file_key = await make.upload({ token }, 'episode_audio');
  const json = {
    product_id: podcast.id,
    name: 'Ayer',
    description: 'x',
    file_key,
    release_date: '2026-03-01T09:00:00Z',
  };

  const { status, body } = await api.post('episodes/', { token, json });

  expect([status, body]).toEqual([400, { release_date: ['Publish time is in past. Choose a later time.'] }]);
});

test('an upload can be used once, and only by its owner', async () => {
  const { token, podcast } = await withPodcast();
  const other = await make.creator();
  const send = (file_key: string) =>
    api.post('episodes/', { token, json: { product_id: podcast.id, name: 'x', description: 'x', file_key } });
  const mine = await make.upload({ token }, 'episode_audio');
  await send(mine);

  const responses = [
    await send(mine),
    await send(await make.upload(other, 'episode_audio')),
    await send('0'.repeat(32)),
  ];

  for (const { status, body } of responses) expect([status, Object.keys(body)]).toEqual([400, ['file_key']]);
});

test('episodes of another creator’s product cannot be created', async () => {
  const { podcast } = await withPodcast();
  const [other, listener] = [await make.creator(), await make.person()];

  for (const { token } of [other, listener]) {
    const json = {
      product_id: podcast.id,
      name: 'x',
      description: 'x',
      file_key: await make.upload({ token }, 'episode_audio'),
    };
    const { status, body } = await api.post('episodes/', { token, json });
    expect([status, body]).toEqual([404, NOT_FOUND]);
  }
  expect((await api.post('episodes/', { json: { product_id: podcast.id } })).status).toBe(401);
});

test('an update changes only the given fields', async () => {
  const { token, podcast, api: own } = await withPodcast();
  const { id } = await make.draft({ token, api: own }, podcast);
  await checkNewAudio();
  const { body: before } = await api.get(`episodes/${id}/`, { token });

  const { status, body } = await api.patch(`episodes/${id}/?page=3`, { token, form: { name: 'Segunda', number: '2' } });

  expect(status).toBe(200);
  expect(body).toEqual({ ...before, name: 'Segunda', number: 2, updated_at: body.updated_at });
});

test('unknown fields of an update are reported by name', async () => {
  const { token, podcast, creatorId } = await withPodcast();
  const [episode] = await make.episodes({ id: podcast.id, creatorId }, 1);

  const { status, body } = await api.patch(`episodes/${episode!.id}/`, { token, json: { title: 'x', product_id: 5 } });

  expect([status, body]).toEqual([400, { title: ['Unknown field.'], product_id: ['Unknown field.'] }]);
});

test('everyone but the owner gets 404 for changes and deletions', async () => {
  const { podcast, creatorId } = await withPodcast();
  const [episode] = await make.episodes({ id: podcast.id, creatorId }, 1);
  const [other, listener] = [await make.creator(), await make.person()];
  const path = `episodes/${episode!.id}/`;

  for (const { token } of [other, listener]) {
    const responses = [await api.patch(path, { token, json: { name: 'Mine' } }), await api.delete(path, { token })];
    for (const { status, body } of responses) expect([status, body]).toEqual([404, NOT_FOUND]);
  }
  expect([(await api.patch(path, { json: {} })).status, (await api.delete(path)).status]).toEqual([401, 401]);
  expect((await api.get(path)).body).toMatchObject({ name: 'Episodio 1', private_note: null, file_name: null });
});

test('an episode is not found under the other kind’s path', async () => {
  const { token, podcast, creatorId } = await withPodcast('audio_series');
  const [episode] = await make.episodes({ id: podcast.id, creatorId }, 1);
  const id = episode!.id;

  const responses = [
    await api.get(`episodes/${id}/`, { token }),
    await api.patch(`episodes/${id}/`, { token, json: { name: 'x' } }),
    await api.delete(`episodes/${id}/`, { token }),
    await api.get(`podcast-episode-play/${id}/`, { token }),
    await api.get(`get-podcast-episode-url/${id}/`),
    await api.get(`other-episodes/${id}/?audio_type=podcast`),
    await api.post(`podcast-episode-listen/${id}/`, { json: { seconds: 61, session_id: 'session-1' } }),
  ];

  for (const { status, body } of responses) expect([status, body]).toEqual([404, NOT_FOUND]);
  expect((await api.get(`open-episode/${id}/`)).body.audio_type).toBe('audio_series');
});

test.each([
  ['episodes', 'podcast'],
  ['audio-series-episodes', 'audio_series'],
] as const)('an episode deleted through %s answers 404', async (path, kind) => {
  const { token, podcast, creatorId } = await withPodcast(kind);
  const [episode] = await make.episodes({ id: podcast.id, creatorId }, 1);

  const deleted = await api.delete(`${path}/${episode!.id}/`, { token });

  expect([deleted.status, deleted.body]).toEqual([204, null]);
  expect((await api.get(`${path}/${episode!.id}/`, { token })).status).toBe(404);
});

test.each([
  ['podcasts', 'podcast'],
  ['audio-series', 'audio_series'],
] as const)('in %s, visitors list published episodes; the owner lists all and filters them', async (path, kind) => {
  const { token, podcast, creatorId, api: owned } = await withPodcast(kind);
  const rows = await make.episodes({ id: podcast.id, creatorId }, 5, (i) => ({
    ...(i === 1 && { type: 'trailer' as const }),
    ...(i === 2 && { status: 'on_hold' as const }),
    ...(i === 3 && { type: 'private' as const }),
    number: i === 0 ? null : 10 - i,
  }));
  await owned.episodes.remove({ id: rows[4]!.id });
  const list = (query: string, sent = {}) => api.get(`${path}/${podcast.id}/episodes_list/${query}`, sent);
  const numbers = async (query: string, sent = {}) =>
    rowsOf((await list(query, sent)).body.results).map(({ name }) => String(name).slice(-1));

  expect(await numbers('')).toEqual(['2', '1']);
  expect(await numbers('?status=on_hold')).toEqual(['2', '1']);
  expect(await numbers('?type=trailer')).toEqual(['2']);
  expect(await numbers('?ordering=name', { token })).toEqual(['1', '2', '3', '4']);
  expect(await numbers('?ordering=-name&page_size=3&page=2', { token })).toEqual(['1']);
  expect(await numbers('?ordering=number', { token })).toEqual(['4', '3', '2', '1']);
  expect(await numbers('?ordering=-release_date', { token })).toEqual(['4', '3', '2', '1']);
  expect(await numbers('?status=on_hold&type=public', { token })).toEqual(['3']);
  expect(await numbers('?search=dio 4', { token })).toEqual(['4']);
  expect(await numbers('?search=%25', { token })).toEqual([]);
  expect(await numbers('?type=private')).toEqual([]);
  const rejected = [
    await list('?ordering=plays'),
    await list('?type=secret'),
    await list('?status=deleted', { token }),
  ];
  expect(rejected.map(({ status, body }) => [status, Object.keys(body)])).toEqual([
    [400, ['ordering']],
    [400, ['type']],
    [400, ['status']],
  ]);
});

test('another episode’s slug is rejected', async () => {
  const { token, podcast, creatorId } = await withPodcast();
  const [episode] = await make.episodes({ id: podcast.id, creatorId }, 2);

  const { status, body } = await api.patch(`episodes/${episode!.id}/`, { token, json: { slug: 'episodio-2' } });

  expect([status, Object.keys(body)]).toEqual([400, ['slug']]);
});

test('the response for a hidden episode equals the one for a missing episode', async () => {
  const { podcast, creatorId } = await withPodcast();
  const [hidden] = await make.episodes({ id: podcast.id, creatorId }, 1, () => ({ type: 'private' }));
  const { token } = await make.creator();
  const responsesFor = async (id: number) => {
    const replies = [
      await api.get(`episodes/${id}/`, { token }),
      await api.get(`open-episode/${id}/`, { token }),
      await api.patch(`episodes/${id}/`, { token, json: { name: 'Mine' } }),
      await api.delete(`episodes/${id}/`, { token }),
    ];
    return replies.map(({ status, body }) => ({ status, body }));
  };

  expect(await responsesFor(hidden!.id)).toEqual(await responsesFor(999_999));
});
