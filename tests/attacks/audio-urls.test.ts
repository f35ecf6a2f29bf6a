import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { audioFetches } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { fetchAudio } from '~/server/domain/episodes/fetch-audio';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { hostileServer } from '../support/hostile';
import { fetchNewAudio } from '../support/run-jobs';
import { testFetcher } from '../support/test-fetcher';
import { keyMaker, v1Client } from '../support/v1-client';

const opened = await cast();
const { runtime, lucia, ada, podcast, episodes: known } = opened;
const api = v1Client(opened);
const keyOf = keyMaker(opened);
const key = await keyOf(lucia);
const secrets: string[] = [];
const inside = await hostileServer((request, response) => {
  secrets.push(request.url ?? '');
  response.end('the secret');
});
afterAll(() => inside.close());
const path = `/shows/${podcast.id}/episodes`;
const send = (audio_url: unknown, by = key) =>
  api.post(path, { key: by, json: { name: 'x', description: 'x', audio_url, hold: true } });

test.each([
  ['nothing', ''],
  ['a blank', '   '],
  ['10 KB', `https://files.example/${'a'.repeat(10_000)}.mp3`],
  ['a script', 'javascript:alert(1)//.mp3'],
  ['FTP', 'ftp://files.example/a.mp3'],
  ['a file', 'file:///etc/passwd'],
  ['data', 'data:audio/mpeg;base64,AAAA'],
  ['credentials', 'https://julia:secret@files.example/a.mp3'],
  ['no host', 'https://'],
  ['a path', '/audio/1.mp3'],
  ['another port', 'https://files.example:22/a.mp3'],
  ['loopback', 'http://127.0.0.1/a.mp3'],
  ['loopback by name', 'http://localhost/a.mp3'],
  ['loopback in IPv6', 'http://[::1]/a.mp3'],
  ['mapped loopback', 'http://[::ffff:127.0.0.1]/a.mp3'],
  ['loopback as a number', 'http://2130706433/a.mp3'],
  ['loopback in Unicode', 'http://①②⑦.⓪.⓪.①/a.mp3'],
  ['localhost in Unicode', 'http://ｌｏｃａｌｈｏｓｔ/a.mp3'],
  ['metadata of clouds', 'http://169.254.169.254/latest/meta-data/a.mp3'],
  ['a private network', 'http://10.0.0.1/a.mp3'],
  ['another format', 'https://files.example/a.wma'],
  ['a number', 7],
  ['a list', ['https://files.example/a.mp3']],
  ['an object', { url: 'https://files.example/a.mp3' }],
  ['null', null],
])('%s is refused at its field, and creates nothing', async (_, url) => {
  const before = await runtime.db.$count(episodes);

  const { status, body } = await send(url);

  expect([status, Object.keys((body.errors ?? {}) as object)]).toEqual([400, ['audio_url']]);
  expect(await runtime.db.$count(episodes)).toBe(before);
});

test.each(['https://exämple.com/a.mp3', 'https://例え.jp/音.mp3'])('the public name %s is accepted', async (url) => {
  const { status, body } = await send(url);

  expect({ status, body }).toMatchObject({ status: 201, body: { audio: { status: 'fetching' } } });
  await runtime.db.delete(audioFetches);
});

const name = 'files.example';
const outcome = async (id: unknown) => (await api.get(`/episodes/${id}`, { key })).body;

/** Fetches from a public name with a fetcher whose name server answers so, on the port of the server inside. */
async function fetchBy(url: string, addresses: (time: number) => string) {
  let times = 0;
  const resolve = async () => {
    times += 1;
    return [{ address: addresses(times), family: 4 }];
  };
  const former = runtime.ports.fetcher;
  const fetcher = testFetcher({ allowLoopback: false, ports: [80, inside.port], resolve });
  runtime.ports.fetcher = fetcher;
  try {
    const { body } = await send(url);
    await fetchNewAudio(runtime);
    return await outcome(body.id);
  } finally {
    runtime.ports.fetcher = former;
    await fetcher.close();
  }
}

test.each(['127.0.0.1', '169.254.169.254', '10.1.2.3'])('a name that leads to %s is not fetched', async (address) => {
  const found = await fetchBy(`http://${name}:${inside.port}/a.mp3`, () => address);

  expect(found).toMatchObject({ status: 'failed', audio: { status: 'failed', error: expect.stringContaining(name) } });
  expect(secrets).toEqual([]);
});

test('a redirect to a private address is not followed, and neither is a name that changes its address', async () => {
  const asked: string[] = [];
  const outside = await hostileServer((request, response) => {
    asked.push(request.url ?? '');
    const location = request.url === '/a.mp3' ? 'http://169.254.169.254/secret.mp3' : '/secret.mp3';
    response.writeHead(302, { location }).end();
  });
  let times = 0;
  const resolve = async (host: string) => {
    if (host === 'rebound.example') times += 1;
    const isRebound = host === 'rebound.example' && times > 1;
    return [{ address: isRebound ? '169.254.169.254' : '127.0.0.1', family: 4 }];
  };
  const former = runtime.ports.fetcher;
  const fetcher = testFetcher({ ports: [80, outside.port], resolve });
  runtime.ports.fetcher = fetcher;
  const sent = [
    await send(`http://moved.example:${outside.port}/a.mp3`),
    await send(`http://rebound.example:${outside.port}/b.mp3`),
  ];
  await fetchNewAudio(runtime);
  const found = [await outcome(sent[0]!.body.id), await outcome(sent[1]!.body.id)];
  runtime.ports.fetcher = former;
  await Promise.all([fetcher.close(), outside.close()]);

  expect(asked.toSorted()).toEqual(['/a.mp3', '/b.mp3']);
  expect(found.map(({ status }) => status)).toEqual(['failed', 'failed']);
  expect(found.map(({ audio }) => (audio as { error: string }).error)).toEqual([
    '169.254.169.254 is not a public address on the internet.',
    'rebound.example is not a public address on the internet.',
  ]);
});

test('neither another scope nor another creator may have audio fetched', async () => {
  const [reader, foreign] = [await keyOf(lucia, ['episodes:read', 'shows:write']), await keyOf(ada)];
  const { id } = known.podcast.public;
  const json = { audio_url: 'https://files.example/a.mp3' };

  const scopes = [await send(json.audio_url, reader), await api.patch(`/episodes/${id}`, { key: reader, json })];
  const others = [await send(json.audio_url, foreign), await api.patch(`/episodes/${id}`, { key: foreign, json })];

  expect(scopes.map(({ status }) => status)).toEqual([403, 403]);
  expect(others.map(({ status }) => status)).toEqual([404, 404]);
  expect(await runtime.db.$count(audioFetches)).toBe(0);
});

test('a job of another step, or of no fetch at all, does nothing', async () => {
  const { body } = await send('https://files.example/a.mp3');
  const episodeId = Number(body.id);
  const ctx = systemCtx(runtime, 'episodes.fetch-audio');

  await fetchAudio(ctx, { episodeId, step: 99 });
  await fetchAudio(ctx, { episodeId: 1_000_000, step: 1 });

  const [row] = await runtime.db.select().from(audioFetches).where(eq(audioFetches.episodeId, episodeId));
  expect(row).toMatchObject({ step: 1, attempts: 0 });
});
