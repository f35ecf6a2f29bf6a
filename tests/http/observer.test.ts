import http from 'node:http';
import net from 'node:net';
import { expect, test } from 'vitest';
import { requestFormUpload } from '~/server/domain/media/uploads';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const staged = await attackedServer({ TRUST_PROXY: '1' });
const { port, lines, podcast, episodes, lucia, tom, ctxOf } = staged;
const LUCIA_HOST = `staging-${lucia.domain}.altavoz.localhost:3000`;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

type Options = { host?: string; method?: string; headers?: Record<string, string>; body?: string | Buffer };
type Line = Record<string, unknown> & { path: string; requestId: string };

const written = () => lines.filter((line) => line.includes('"msg":"request"')).map((line): Line => JSON.parse(line));

/** Sends a request, and returns the answer with the log lines written for it. */
async function ask(path: string, { host = APP_HOST, method = 'GET', headers = {}, body }: Options = {}) {
  const before = written().length;
  const options = { port, host: '127.0.0.1', path, method, agent, headers: { ...headers, host } };
  const answer = await new Promise<{ status: number; id: string; bytes: number }>((resolve, reject) => {
    const request = http.request(options, async (res) => {
      const chunks = await res.toArray();
      const id = res.headers['x-request-id'] as string;
      resolve({ status: res.statusCode ?? 0, id, bytes: Buffer.concat(chunks).length });
    });
    request.on('error', reject).end(body);
  });
  await expect.poll(() => written().length, { interval: 5 }).toBeGreaterThan(before);
  return { ...answer, lines: written().slice(before) };
}

async function metrics(): Promise<string> {
  const request = `GET /metrics HTTP/1.1\r\nhost: ${APP_HOST}\r\n\r\n`;
  return (await staged.sendRaw(request)).body;
}

/** The sum of a metric's rows with these labels. */
async function countOf(name: string, labels: Record<string, string>): Promise<number> {
  const rows = (await metrics()).split('\n').filter((row) => row.startsWith(`${name}{`));
  const matching = rows.filter((row) =>
    Object.entries(labels).every(([key, value]) => row.includes(`${key}="${value}"`)),
  );
  return matching.reduce((sum, row) => sum + Number(row.split(' ').at(-1)), 0);
}

const episode = episodes.podcast.public;
const previewed = 'p'.repeat(43);
const token = 't'.repeat(43);

test.each<[string, string, Options, string, number]>([
  ['a page', `/p/${podcast.slug}?utm_source=x`, { host: LUCIA_HOST }, '/p/:slug', 200],
  ['the same page from memory', `/p/${podcast.slug}`, { host: LUCIA_HOST }, '/p/:slug', 200],
  ['its data', `/p/${podcast.slug}.data`, { host: LUCIA_HOST }, '/p/:slug', 200],
  ['a page in Spanish', '/es/login?next=%2Fsecret', {}, '/login', 200],
  ['a feed', `/p/${podcast.slug}/feed.xml`, { host: LUCIA_HOST }, '/p/:slug/feed.xml', 200],
  [
    'audio',
    `/audio/${episode.id}/x.mp3?feed=${token}`,
    { headers: { range: 'bytes=0-9' } },
    '/audio/:id/:name.mp3',
    206,
  ],
  ['a picture', '/media/images/none', {}, '/media/:key', 404],
  ['a private feed', `/feed/private/${token}`, {}, '/feed/private/:token', 404],
  ['a preview', `/preview/${previewed}`, { host: LUCIA_HOST }, '/preview/:token', 410],
  ['a list of REST', '/api/categories/?page=1', {}, '/api/categories/', 200],
  ['nothing of REST', '/api/none/', {}, '/api/*', 404],
  ['a procedure', '/trpc/reference.categories?page=secret', {}, '/trpc/reference.categories', 200],
  ['two procedures', '/trpc/accounts.me,accounts.me?batch=1', {}, '/trpc/(batch)', 401],
  ['no procedure', '/trpc/accounts.none', {}, '/trpc/*', 404],
  ['no page', '/a/b/c/d?token=secret', {}, 'unmatched', 404],
  ['a mistyped private feed', `/feeds/private/${token}/x`, {}, 'unmatched', 404],
  ['a redirect', '/', { host: 'www.altavoz.localhost' }, 'redirect', 301],
  ['a foreign host', `/rss/${token}`, { host: 'foreign.example' }, 'foreign host', 421],
  ['the sitemap', '/sitemap.xml', {}, '/sitemap.xml', 200],
])('%s is counted and logged once, by its template', async (_, path, options, route, status) => {
  const before = await countOf('http_requests_total', { route });

  const answer = await ask(path, options);

  expect(answer.status).toBe(status);
  expect(answer.lines).toHaveLength(1);
  expect(answer.lines[0]).toMatchObject({ route, status, method: 'GET', requestId: answer.id, level: 'info' });
  expect(answer.lines[0]!.bytes).toBeGreaterThanOrEqual(answer.bytes);
  expect(JSON.stringify(answer.lines)).not.toMatch(/\?|secret|ttttt|ppppp/);
  expect(await countOf('http_requests_total', { route })).toBe(before + 1);
  expect(answer.id).toMatch(/^[0-9a-f-]{36}$/);
});

test('a page from memory is a cache hit, also if the visitor has it already', async () => {
  const path = `/p/${podcast.slug}/feed.xml`;
  await ask(path, { host: LUCIA_HOST });
  const before = await countOf('http_cache_hits_total', { route: '/p/:slug/feed.xml' });

  const unchanged = await ask(path, { host: LUCIA_HOST, headers: { 'if-none-match': '*' } });

  expect(unchanged.status).toBe(304);
  expect(unchanged.lines[0]).toMatchObject({ status: 304, cache: 'hit', requestId: unchanged.id });
  expect(await countOf('http_cache_hits_total', { route: '/p/:slug/feed.xml' })).toBe(before + 1);
});

test('a line names the host, method, status and bytes of its own request, whatever was asked before at the same address', async () => {
  const path = `/p/${podcast.slug}/feed.xml`;
  const first = await ask(path, { host: LUCIA_HOST });
  const again = await ask(path, { host: LUCIA_HOST });
  const elsewhere = await ask(path);
  const head = await ask(path, { host: LUCIA_HOST, method: 'HEAD' });
  const unchanged = await ask(path, { host: LUCIA_HOST, headers: { 'if-none-match': '*' } });

  const hostname = (host: string) => host.replace(/:\d+$/, '');
  const line = ({ lines: [written] }: typeof first) => [written!.host, written!.method, written!.status];
  expect(line(first)).toEqual([hostname(LUCIA_HOST), 'GET', 200]);
  expect(line(again)).toEqual([hostname(LUCIA_HOST), 'GET', 200]);
  expect(line(elsewhere)).toEqual([hostname(APP_HOST), 'GET', 404]);
  expect(line(head)).toEqual([hostname(LUCIA_HOST), 'HEAD', 200]);
  expect(line(unchanged)).toEqual([hostname(LUCIA_HOST), 'GET', 304]);
  expect(again.lines[0]!.bytes).toBeGreaterThan(again.bytes);
  for (const { lines } of [head, unchanged]) expect(lines[0]!.bytes).toBeLessThan(2000);
});

test('an upload is counted once, and its key is in no line', async () => {
  const input = { fileName: 'a.mp3', contentType: 'audio/mpeg', fileSize: 5, purpose: 'episode_audio' as const };
  const { key } = await requestFormUpload(ctxOf(tom), input);

  const form = await ask(`/uploads/form/${key}`, { method: 'PUT', body: 'bytes' });
  const tus = await ask(`/uploads/tus/${key}`, { method: 'HEAD' });

  expect(form.status).toBe(204);
  expect([...form.lines, ...tus.lines]).toMatchObject([
    { route: '/uploads/form/:key', method: 'PUT', path: '/uploads/form/:key', status: 204 },
    { route: '/uploads/tus/:key', method: 'HEAD', path: '/uploads/tus/:key', status: tus.status },
  ]);
  expect(lines.join()).not.toContain(key);
});

test('a stream whose client leaves is cut, and no failure', async () => {
  const before = await countOf('http_requests_total', { status: '5xx' });
  const path = `/audio/${episode.id}/x.mp3`;
  const count = written().length;
  const socket = net.connect(port, '127.0.0.1', () => {
    for (let i = 0; i < 40; i += 1) socket.write(`GET ${path} HTTP/1.1\r\nhost: ${APP_HOST}\r\n\r\n`);
  });
  socket.once('data', () => socket.resetAndDestroy());

  await expect
    .poll(() =>
      written()
        .slice(count)
        .some(({ cut }) => cut),
    )
    .toBe(true);
  expect(await countOf('http_requests_total', { route: '/audio/:id/:name.mp3', status: 'cut' })).toBeGreaterThan(0);
  expect(await countOf('http_requests_total', { status: '5xx' })).toBe(before);
});

test('a proxy’s request id is used, in any way that a response is sent', async () => {
  const page = { host: LUCIA_HOST, headers: { 'x-request-id': '0123456789abcdef0123456789abcdef' } };
  const long = {
    host: LUCIA_HOST,
    headers: { 'x-request-id': '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
  };
  const path = `/p/${podcast.slug}`;

  for (const options of [page, long]) {
    const answer = await ask(path, options);
    expect(answer.id).toBe(options.headers['x-request-id']);
    expect(answer.lines.filter(({ requestId }) => requestId === answer.id)).toMatchObject([{ cache: 'hit' }]);
  }
  expect((await ask(path, { host: LUCIA_HOST })).id).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([['short'], ['x'.repeat(65)], ['"},{"level":"fatal'], ['a b c d e f'], ['ünïcödé-id']])(
  'the forged request id %j is replaced',
  async (id) => {
    const latin1 = Buffer.from(id).toString('latin1');

    const answer = await ask('/en/login', { headers: { 'x-request-id': latin1 } });

    expect(answer.id).toMatch(/^[0-9a-f-]{36}$/);
  },
);

test('nothing in a request can break a line of the log', async () => {
  const target = '/a"},{"level":"fatal"}\\u000a';
  const before = written().length;

  await staged.sendRaw(`GET ${target} HTTP/1.1\r\nhost: ${APP_HOST}\r\n\r\n`);
  await staged.sendRaw(`GET / HTTP/1.1\r\nhost: "},{"level":"fatal\r\n\r\n`);
  await staged.sendRaw(`GET http://user:secret@x/${token} HTTP/1.1\r\nhost: ${APP_HOST}\r\n\r\n`);

  const requests = () => lines.filter((line) => line.includes('"msg":"request"')).slice(before);
  // lines are written in batches
  await expect.poll(() => requests().length).toBe(3);
  const found = requests();
  for (const line of found) expect(line.trimEnd()).not.toContain('\n');
  expect(written().slice(before)).toMatchObject([{ level: 'info' }, { level: 'info' }, { level: 'info' }]);
  expect(found.join()).not.toMatch(/user:secret|ttttt/);
});

test('a malformed request is counted, and answered as Node does', async () => {
  const before = await countOf('http_requests_total', { route: 'unparsed' });

  const statuses = [
    await staged.sendRaw('no request\r\n\r\n'),
    await staged.sendRaw(`GET / HTTP/1.1\r\nhost: ${APP_HOST}\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`),
  ].map(({ status }) => status);

  expect(statuses).toEqual([400, 431]);
  expect((await countOf('http_requests_total', { route: 'unparsed' })) - before).toBe(2);
});

test('many paths and methods add no rows to the metrics', async () => {
  await ask('/zero/zero/zero');
  const rows = async () => (await metrics()).split('\n').filter((row) => row.startsWith('http_')).length;
  const before = await rows();

  for (let i = 0; i < 20; i += 1) {
    await ask(`/x${i}/y/z`);
    await ask(`/p/x${i}/feed.xml`, { host: LUCIA_HOST });
  }

  const added = (await rows()) - before;
  // new rows for the feed's outcome 404
  expect(added).toBeLessThanOrEqual(1);
});

test('probes are counted but not logged, and the event loop’s lag and the pools are measured', async () => {
  const before = written().length;

  await staged.sendRaw(`GET /readyz HTTP/1.1\r\nhost: ${APP_HOST}\r\n\r\n`);
  await ask('/en/login');

  expect(written().slice(before)).toMatchObject([{ path: '/en/login' }]);
  expect(await countOf('http_requests_total', { route: '/readyz', status: '2xx' })).toBeGreaterThan(0);
  const text = await metrics();
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'database_listening', 'emails_total{outcome="sent"}'])
    expect(text).toContain(`${name} `);
});

test('the page that shows an error is no error of the server', async () => {
  const before = await countOf('http_requests_total', { route: '/error', status: '2xx' });

  expect((await ask('/error?code=503')).status).toBe(503);

  expect(await countOf('http_requests_total', { route: '/error', status: '2xx' })).toBe(before + 1);
});
