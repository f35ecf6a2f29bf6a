import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Prebuilt, prebuild, sendPrebuilt, unchangedSender } from '~/server/http/caches/prebuilt-response';

const HEADERS = ['content-type', 'text/html; charset=utf-8', 'etag', '"abc"', 'content-length', '7'];
const BODY = Buffer.from('página');

type Answer = (req: IncomingMessage, res: ServerResponse) => boolean;

/** A server that reports whether each response was prebuilt, and otherwise answers `own`. */
async function serve(answer: Answer) {
  const results: boolean[] = [];
  const server = http.createServer((req, res) => {
    const sent = answer(req, res);
    results.push(sent);
    if (!sent) res.writeHead(200, HEADERS).end(BODY);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { server, results, port: (server.address() as AddressInfo).port };
}

function sender(status: 200 | 304 = 200): Answer {
  let prebuilt: Prebuilt | undefined;
  return (req, res) => {
    prebuilt ??= prebuild(status, HEADERS, status === 200 ? BODY : Buffer.alloc(0), { req, res });
    return sendPrebuilt(prebuilt, req, res);
  };
}

/** Sends the text on one connection and returns everything that arrives within a short time. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    setTimeout(() => socket.destroy(), 300);
  });
}

const get = (path = '/', more = '') => `GET ${path} HTTP/1.1\r\nHost: altavoz.localhost\r\n${more}\r\n`;
const withoutDate = (text: string) => text.replaceAll(/Date: [^\r]+/g, 'Date');

test('a prebuilt response has the same bytes as one that Node writes', async () => {
  const one = await serve(sender());
  const other = await serve(() => false);

  const [ours, nodes] = [await exchange(one.port, get()), await exchange(other.port, get())];

  expect(one.results).toEqual([true]);
  expect(ours).toMatch(/Date: \w{3}, \d\d \w{3} 20\d\d \d\d:\d\d:\d\d GMT\r\nConnection: keep-alive\r\nKeep-Alive/);
  expect(withoutDate(ours)).toBe(withoutDate(nodes));
});

test('a connection serves one response after another, and an unchanged one has no body', async () => {
  const [answer, unchanged] = [sender(), sender(304)];
  const { port, results } = await serve((req, res) => (req.url === '/304' ? unchanged(req, res) : answer(req, res)));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const read = (path: string) =>
    new Promise<string>((resolve) => {
      http.get({ port, path, agent, host: '127.0.0.1' }, async (res) => {
        resolve(`${res.statusCode} ${(await res.toArray()).join('')}`);
      });
    });

  const answers = [await read('/'), await read('/304'), await read('/')];

  expect(answers).toEqual(['200 página', '304 ', '200 página']);
  expect(results).toEqual([true, true, true]);
});

test('unchanged answers of one sender differ in their ETag only, and have the bytes that Node writes', async () => {
  const send = unchangedSender(['vary', 'accept-encoding']);
  const etagOf = ({ url = '' }: IncomingMessage) => `"${url.slice(1)}"`;
  const ours = await serve((req, res) => send(etagOf(req), req, res));
  const nodes = await serve((req, res) => {
    res.writeHead(304, ['vary', 'accept-encoding', 'ETag', etagOf(req)]).end();
    return true;
  });

  const ask = ({ port }: { port: number }) => Promise.all(['/one', '/two'].map((path) => exchange(port, get(path))));
  const [sent, expected] = await Promise.all([ask(ours), ask(nodes)]);

  expect(ours.results).toEqual([true, true]);
  expect(sent.map(withoutDate)).toEqual(expected.map(withoutDate));
  expect(sent[1]).toContain('ETag: "two"');
});

test('pipelined requests are answered in order', async () => {
  const answer = sender();
  const { port } = await serve((req, res) => {
    if (req.url !== '/slow') return answer(req, res);
    setTimeout(() => res.writeHead(200, { 'content-length': '4' }).end('slow'), 50);
    return true;
  });

  const text = await exchange(port, get('/') + get('/slow') + get('/') + get('/'));

  expect(text.match(/página|slow/g)).toEqual(['página', 'slow', 'página', 'página']);
  expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(4);
});

test.each([
  ['HTTP/1.0', 'GET / HTTP/1.0\r\nHost: altavoz.localhost\r\n\r\n'],
  ['Connection: close', get('/', 'Connection: close\r\n')],
  ['HEAD', get().replace('GET', 'HEAD')],
])('%s is left to Node', async (_, request) => {
  const { port, results } = await serve(sender());

  const text = await exchange(port, request);

  expect(results).toEqual([false]);
  expect(text).toMatch(/^HTTP\/1.1 200 OK/);
});

test('a response with other headers, or of a Node with other internals, is left to Node', async () => {
  const answer = sender();
  const { port, results } = await serve((req, res) => {
    if (req.url === '/headers') res.setHeader('x-more', '1');
    if (req.url === '/internals') Object.defineProperty(res, '_headerSent', { value: undefined, writable: true });
    return answer(req, res);
  });

  const [headers, internals] = [await exchange(port, get('/headers')), await exchange(port, get('/internals'))];

  expect(results).toEqual([false, false]);
  expect(headers).toContain('x-more: 1');
  expect(internals).toContain('página');
});

test('the date is the current second', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const { port } = await serve(sender());

  const first = await exchange(port, get());
  vi.setSystemTime(new Date('2026-11-21T12:00:01.500Z'));
  const second = await exchange(port, get());

  expect(first).toContain('Date: Sat, 21 Nov 2026 12:00:00 GMT');
  expect(second).toContain('Date: Sat, 21 Nov 2026 12:00:01 GMT');
});

test('a header value with a line break is refused', async () => {
  const { port } = await serve((req, res) => {
    expect(() => prebuild(200, ['x-name', 'a\r\nset-cookie: b'], BODY, { req, res })).toThrow('Invalid character');
    return false;
  });

  expect(await exchange(port, get())).toContain('página');
});
