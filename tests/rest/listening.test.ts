import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { legacyPlays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { earlier, SECONDS } from '~/server/base/time';
import { maintainPartitions } from '~/server/domain/listening/partitions';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { legacyClient, rowsOf, stringOf } from '../support/legacy';

const opened = await cast();
const { runtime, make } = opened;
const api = legacyClient(opened);
await maintainPartitions(systemCtx(runtime, 'listening.prepare'));

async function withEpisodes(count: number, kind: 'podcast' | 'audio_series' = 'podcast', privateIndex = -1) {
  const owner = await make.creator();
  const of = await make.product(owner, { kind });
  const episodes = await make.episodes({ id: of.id, creatorId: owner.creatorId }, count, (i) =>
    i === privateIndex ? { type: 'private' } : {},
  );
  return { ...owner, product: of, ids: episodes.map(({ id }) => id) };
}

const PLAYER_FIELDS = [
  'audio_type',
  'cover',
  'cover_webp',
  'creator_domain_url',
  'description',
  'episode_name',
  'episode_redirect_url',
  'hosted_by',
  'id',
  'podcast_name',
  'url',
];

test.each([
  ['podcast-episode-play', 'podcast'],
  ['audio-series-episode-play', 'audio_series'],
] as const)('%s returns exactly the fields of the player', async (call, kind) => {
  const { domain, product: of, ids } = await withEpisodes(1, kind);

  const { status, body } = await api.get(`${call}/${ids[0]}/`);

  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(PLAYER_FIELDS);
  expect(body).toMatchObject({
    id: ids[0],
    audio_type: kind,
    url: `http://altavoz.localhost:3000/audio/${ids[0]}/episodio-1.mp3`,
    podcast_name: of.name,
    episode_name: 'Episodio 1',
    creator_domain_url: `http://staging-${domain}.altavoz.localhost:3000/`,
    episode_redirect_url: `http://staging-${domain}.altavoz.localhost:3000/p/${of.slug}/episodio-1`,
  });
});

test.each(['Token undefined', 'Token null', 'Bearer something', ''])(
  'calls that need no login treat the Authorization header "%s" as anonymous',
  async (authorization) => {
    const { ids } = await withEpisodes(1);
    const headers = { authorization };

    const responses = [
      await api.get(`podcast-episode-play/${ids[0]}/`, { headers }),
      await api.get(`other-episodes/${ids[0]}/`, { headers }),
      await api.get(`episodes/${ids[0]}/`, { headers }),
    ];

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  },
);

test.each(['Token nonsense', 'Token', 'Token two words', 'token dead'])(
  'calls that need no login reject the Authorization header "%s" as an invalid token',
  async (authorization) => {
    const { ids } = await withEpisodes(1);

    const { status, body, headers } = await api.get(`podcast-episode-play/${ids[0]}/`, { headers: { authorization } });

    expect([status, body]).toEqual([401, { detail: 'Invalid token.' }]);
    expect(headers.get('www-authenticate')).toBe('Token');
  },
);

test('only the owner can play an episode without a subscription', async () => {
  const { token, product: of, ids } = await withEpisodes(1, 'podcast', 0);
  await runtime.db.update(products).set({ priceMinor: 500 }).where(eq(products.id, of.id));
  const listener = await make.person();

  for (const sent of [{}, { token: listener.token }]) {
    const responses = [
      await api.get(`podcast-episode-play/${ids[0]}/`, sent),
      await api.get(`get-podcast-episode-url/${ids[0]}/`, sent),
      await api.post(`podcast-episode-listen/${ids[0]}/`, { ...sent, json: { seconds: 61, session_id: 'session-1' } }),
    ];
    for (const { status, body } of responses) {
      expect([status, body]).toEqual([
        403,
        { detail: 'This episode is for subscribers only.', code: 'subscription_required' },
      ]);
    }
    const { body } = await api.get(`episodes/${ids[0]}/`, sent);
    expect(body).toMatchObject({ url: null, has_access: false });
  }
  expect((await api.get(`podcast-episode-play/${ids[0]}/`, { token })).status).toBe(200);
});

test.each([
  ['get-podcast-episode-url', 'podcast'],
  ['get-audio-series-episode-url', 'audio_series'],
] as const)('%s returns only the URL', async (call, kind) => {
  const { ids } = await withEpisodes(1, kind);

  const { status, body } = await api.get(`${call}/${ids[0]}`);

  expect([status, body]).toEqual([
    200,
    { url: `http://altavoz.localhost:3000/audio/${ids[0]}/episodio-1.mp3`, expires_at: null },
  ]);
});

test('the other episodes of a podcast are listed from newest to oldest', async () => {
  const { ids } = await withEpisodes(5, 'podcast', 3);
  const others = async (query = '') =>
    rowsOf((await api.get(`other-episodes/${ids[2]}/${query}`)).body.results).map(({ id }) => id);

  expect(await others()).toEqual([ids[4], ids[1], ids[0]]);
  expect(await others('?direction=next&audio_type=podcast')).toEqual([ids[1], ids[0]]);
  expect(await others('?direction=previous')).toEqual([ids[4]]);
});

test('the other episodes of an audio series are listed by part, and each direction starts with the adjacent one', async () => {
  const { ids } = await withEpisodes(5, 'audio_series');
  const others = async (query = '') =>
    rowsOf((await api.get(`other-episodes/${ids[2]}/${query}`)).body.results).map(({ id }) => id);

  expect(await others()).toEqual([ids[0], ids[1], ids[3], ids[4]]);
  expect(await others('?direction=next')).toEqual([ids[3], ids[4]]);
  expect(await others('?direction=previous')).toEqual([ids[1], ids[0]]);
});

test('an unpublished episode has no other episodes', async () => {
  const { token, product: of, api: own } = await withEpisodes(2);
  const { id } = await make.draft({ token, api: own }, of);

  const { status, body } = await api.get(`other-episodes/${id}/?direction=next`, { token });

  expect([status, body.count]).toEqual([200, 0]);
});

test('the other episodes are paginated', async () => {
  const { ids } = await withEpisodes(4, 'audio_series');

  const first = await api.get(`other-episodes/${ids[0]}/?page_size=2`);
  const second = await api.get(stringOf(first.body.next));

  expect([first.body.count, rowsOf(first.body.results).length, rowsOf(second.body.results).length]).toEqual([3, 2, 1]);
});

test.each([
  ['podcast-episode-listen', 'podcast', 'podcast-episode-play'],
  ['audio-series-episode-listen', 'audio_series', 'get-audio-series-episode-url'],
] as const)('%s counts a listen once per session', async (call, kind, playCall) => {
  const { ids } = await withEpisodes(2, kind);
  const listen = (id: number | undefined, session_id: string) =>
    api.post(`${call}/${id}/`, { json: { seconds: 61, session_id } });

  for (const id of [ids[0], ids[0], ids[0], ids[1]]) await api.get(`${playCall}/${id}/`);
  await runtime.db.update(legacyPlays).set({ at: earlier(runtime.now(), SECONDS(61)) });

  const responses = [
    await listen(ids[0], 'session-a'),
    await listen(ids[0], 'session-a'),
    await listen(ids[0], 'session-b'),
    await listen(ids[1], 'session-a'),
  ];

  expect(responses.map(({ status }) => status)).toEqual([201, 200, 201, 201]);
});

test.each([{ seconds: 60 }, { seconds: '12' }, {}, { seconds: 'long' }])(
  'a listen of sixty seconds or less is rejected (%j)',
  async (json) => {
    const { ids } = await withEpisodes(1);

    const { status, body } = await api.post(`podcast-episode-listen/${ids[0]}/`, {
      json: { session_id: 'session-a', ...json },
    });

    expect([status, Object.keys(body)]).toEqual([400, ['seconds']]);
  },
);

test('a listen without a session is rejected', async () => {
  const { ids } = await withEpisodes(1);

  const { status, body } = await api.post(`podcast-episode-listen/${ids[0]}/`, { json: { seconds: 61 } });

  expect([status, body]).toEqual([400, { session_id: ['This field is required.'] }]);
});
