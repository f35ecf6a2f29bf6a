import type net from 'node:net';
import { createServer } from 'node:tls';
import getTLSOptions from 'smtp-server/lib/tls-options.js';
import { expect, test } from 'vitest';
import { MOST, onTrial } from '../../support/trial';
import { fetcherFor } from '../../support/trial-fetcher';

const trial = onTrial();

test('a server that never responds causes a timeout', async () => {
  await trial.serveBytes(() => {});

  await trial.refuses('fetch.timed_out');
});

test('headers that arrive slowly without end cause a timeout', async () => {
  await trial.serveBytes((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => socket.write(`x-${Date.now()}: a\r\n`), 50);
    socket.on('close', () => clearInterval(drip));
  });

  await trial.refuses('fetch.timed_out');
});

test('informational responses do not extend the timeout', async () => {
  trial.fetcher = fetcherFor({ limits: { wholeMs: 60_000 } });
  await trial.serveBytes((socket) => {
    const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 50);
    socket.on('close', () => clearInterval(drip));
  });

  await trial.refuses('fetch.timed_out');
});

test('endless headers are too large', async () => {
  await trial.serveBytes((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    for (let i = 0; i < 200; i++) socket.write(`x-header-${i}: ${'a'.repeat(400)}\r\n`);
  });

  await trial.refuses('fetch.headers_too_large');
});

test('a body that pauses too long causes a timeout', async () => {
  await trial.serve((_, response) => void response.write('<rss>'));

  await trial.refuses('fetch.timed_out');
});

test('a body that arrives slowly without end exceeds the total timeout', async () => {
  trial.fetcher = fetcherFor({ limits: { wholeMs: 400 } });
  await trial.serve((_, response) => {
    const drip = setInterval(() => response.write('a'), 50);
    response.on('close', () => clearInterval(drip));
  });

  await trial.refuses('fetch.timed_out');
});

test('an endless body is cut off at the limit', async () => {
  await trial.serve((_, response) => {
    const chunk = Buffer.alloc(16_384, 'a');
    const sendMore = () => {
      while (!response.destroyed && response.write(chunk)) {}
      if (!response.destroyed) response.once('drain', sendMore);
    };
    sendMore();
  });

  await trial.refuses('fetch.body_too_large');
});

test('a stated length above the limit is rejected before reading', async () => {
  await trial.serve((_, response) => {
    response.writeHead(200, { 'content-length': 10_000_000_000 });
    response.flushHeaders();
  });

  await trial.refuses('fetch.body_too_large');
});

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

/** Sends `head` once and then repeats `rest` until the connection closes. */
function pouring(head: string, rest: string) {
  const piece = Buffer.from(rest.repeat(Math.ceil(65_536 / rest.length)));
  return (socket: net.Socket) => {
    const sendMore = () => {
      while (!socket.destroyed && socket.write(piece)) {}
      if (!socket.destroyed) socket.once('drain', sendMore);
    };
    socket.write(head);
    sendMore();
  };
}

test.each([
  ['preliminary answers', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 'headers_too_large'],
  ['one header', `${OK}x: `, 'a', 'headers_too_large'],
  ['chunk extensions', `${OK}${CHUNKED}\r\n5;`, 'a', 'body_too_large'],
  ['zeros before a chunk', `${OK}${CHUNKED}\r\n`, '0', 'body_too_large'],
  ['chunks of one byte', `${OK}${CHUNKED}\r\n`, '1;x=y\r\na\r\n', 'body_too_large'],
  ['trailers', `${OK}${CHUNKED}\r\n5\r\nhello\r\n0\r\n`, 'x: aaaaaaaa\r\n', 'headers_too_large'],
])('endless %s are cut off by a size limit, not by a timeout', async (_, head, rest, code) => {
  const idleOnly = { limits: { connectMs: 20_000, headersMs: 20_000, idleMs: 20_000, wholeMs: 20_000 } };
  trial.fetcher = fetcherFor(idleOnly);
  await trial.serveBytes(pouring(head, rest));

  await trial.refuses(`fetch.${code}`);
});

test.each([
  ['shorter than it says', `${OK}Content-Length: 50\r\n\r\nonly this`, 'body_cut'],
  ['shorter than it says and goodbye', `${OK}Connection: close\r\nContent-Length: 50\r\n\r\nonly this`, 'body_cut'],
  ['longer than it says', `${OK}Content-Length: 5\r\n\r\nhello world`, 'answer_invalid'],
  ['followed by an answer that nobody asked for', `${OK}Content-Length: 5\r\n\r\nhello${OK}\r\n`, 'answer_invalid'],
  ['followed by more than its last chunk', `${OK}${CHUNKED}\r\n0\r\n\r\nmore`, 'answer_invalid'],
  ['of two lengths', `${OK}Content-Length: 5\r\nContent-Length: 9\r\n\r\nhello`, 'answer_invalid'],
  ['of a length and in chunks', `${OK}Content-Length: 5\r\n${CHUNKED}\r\n5\r\nhello\r\n0\r\n\r\n`, 'answer_invalid'],
  ['of an invalid length', `${OK}Content-Length: -5\r\n\r\nhello`, 'answer_invalid'],
  ['of a length beyond counting', `${OK}Content-Length: 99999999999999999999\r\n\r\nhello`, 'answer_invalid'],
  ['cut in a chunk', `${OK}${CHUNKED}\r\n20\r\nonly this`, 'body_cut'],
  ['in chunks that are none', `${OK}${CHUNKED}\r\nzz\r\nhello`, 'answer_invalid'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'answer_invalid'],
  [
    'an invitation to another protocol',
    'HTTP/1.1 101 x\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n',
    'connection_failed',
  ],
  ['a header with a line of its own in it', `${OK}x: a\r\n folded\r\nContent-Length: 0\r\n\r\n`, 'answer_invalid'],
  ['a header with a zero in it', `${OK}x: a\0b\r\nContent-Length: 0\r\n\r\n`, 'answer_invalid'],
])('a response that is %s is rejected', async (_, bytes, code) => {
  await trial.serveBytes((socket) => socket.end(bytes));

  await trial.refuses(`fetch.${code}`);
});

test('bytes after the length of a response with Connection: close are not read', async () => {
  await trial.serveBytes((socket) => socket.end(`${OK}Connection: close\r\nContent-Length: 5\r\n\r\nhello world`));

  expect(await trial.get()).toMatchObject({ bytes: Buffer.from('hello') });
});

test('every request has its own connection', async () => {
  const ports = new Set<number | undefined>();
  await trial.serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.writeHead(request.url === '/' ? 302 : 200, { location: '/feed', connection: 'keep-alive' }).end('feed');
  });

  await trial.get();
  await trial.get();

  expect(ports.size).toBe(4);
});

test('hosts with the same address share no connection', async () => {
  const seen: string[] = [];
  const server = await trial.serve((request, response) => {
    seen.push(`${request.headers.host?.split(':')[0]} ${request.socket.remotePort}`);
    response.end('feed');
  });
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  trial.fetcher = fetcherFor({ resolve, ports: [server.port] });

  for (const host of ['a.example', 'b.example', 'a.example'])
    await trial.fetcher.fetch({ url: `http://${host}:${server.port}/`, maxBytes: MOST });

  expect(seen.map((one) => one.split(' ')[0])).toEqual(['a.example', 'b.example', 'a.example']);
  expect(new Set(seen).size).toBe(3);
});

test('a server without a TLS handshake causes a timeout', async () => {
  const server = await trial.serveBytes(() => {});

  await expect(trial.fetcher.fetch({ url: `https://127.0.0.1:${server.port}/`, maxBytes: MOST })).rejects.toMatchObject(
    { code: 'fetch.timed_out' },
  );
});

test('closing the fetcher closes a connection in its TLS handshake at once', async () => {
  trial.fetcher = fetcherFor({ limits: { connectMs: 60_000 } });
  const server = await trial.serveBytes(() => {});
  const attempt = trial.fetcher.fetch({ url: `https://127.0.0.1:${server.port}/`, maxBytes: MOST });
  const ending = expect(attempt).rejects.toThrow('closed');
  await expect.poll(() => server.open()).toBe(1);

  await trial.fetcher.close();

  await ending;
  await expect.poll(() => server.open()).toBe(0);
});

test('an untrusted certificate is rejected', async () => {
  const server = createServer({ ...getTLSOptions() }, (socket) => socket.end(`${OK}\r\nsecret`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;

  const attempt = trial.fetcher.fetch({ url: `https://localhost:${port}/`, maxBytes: MOST });

  await expect(attempt).rejects.toMatchObject({ code: 'fetch.certificate_invalid' });
  await new Promise((resolve) => server.close(resolve));
});

test('closing the fetcher ends running requests and prevents new ones', async () => {
  let asked: () => void;
  const arrived = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const server = await trial.serve((_, response) => {
    response.write('<rss>');
    asked();
  });

  const attempt = expect(trial.get()).rejects.toThrow('closed');
  await arrived;
  await trial.fetcher.close();
  await attempt;

  await expect(trial.get()).rejects.toThrow('closed');
  await expect.poll(() => server.open()).toBe(0);
});

test.each([
  ['before an answer', '', 'connection_failed'],
  ['within the headers', 'HTTP/1.1 200 OK\r\nContent-Le', 'connection_failed'],
  ['within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', 'body_cut'],
])('a reset %s is reported', async (_, before, code) => {
  await trial.serveBytes((socket) => {
    if (before) socket.write(before, () => setTimeout(() => socket.resetAndDestroy(), 150));
    else socket.resetAndDestroy();
  });

  await trial.refuses(`fetch.${code}`);
});
