import type net from 'node:net';
import { createServer } from 'node:tls';
import getTLSOptions from 'smtp-server/lib/tls-options.js';
import { expect, test } from 'vitest';
import { MAX_BYTES, setUpFetcher } from '../../support/fetcher-setup';
import { testFetcher } from '../../support/test-fetcher';

const setup = setUpFetcher();

test('a server that never responds causes a timeout', async () => {
  await setup.serveBytes(() => {});

  await setup.expectError('fetch.timed_out');
});

test('headers that arrive slowly without end cause a timeout', async () => {
  await setup.serveBytes((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => socket.write(`x-${Date.now()}: a\r\n`), 50);
    socket.on('close', () => clearInterval(drip));
  });

  await setup.expectError('fetch.timed_out');
});

test('informational responses do not extend the timeout', async () => {
  setup.fetcher = testFetcher({ limits: { wholeMs: 60_000 } });
  await setup.serveBytes((socket) => {
    const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 50);
    socket.on('close', () => clearInterval(drip));
  });

  await setup.expectError('fetch.timed_out');
});

test('endless headers are too large', async () => {
  await setup.serveBytes((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    for (let i = 0; i < 200; i++) socket.write(`x-header-${i}: ${'a'.repeat(400)}\r\n`);
  });

  await setup.expectError('fetch.headers_too_large');
});

test('a body that pauses too long causes a timeout', async () => {
  await setup.serve((_, response) => void response.write('<rss>'));

  await setup.expectError('fetch.timed_out');
});

test('a body that arrives slowly without end exceeds the total timeout', async () => {
  setup.fetcher = testFetcher({ limits: { wholeMs: 400 } });
  await setup.serve((_, response) => {
    const drip = setInterval(() => response.write('a'), 50);
    response.on('close', () => clearInterval(drip));
  });

  await setup.expectError('fetch.timed_out');
});

test('an endless body is cut off at the limit', async () => {
  await setup.serve((_, response) => {
    const chunk = Buffer.alloc(16_384, 'a');
    const sendMore = () => {
      while (!response.destroyed && response.write(chunk)) {}
      if (!response.destroyed) response.once('drain', sendMore);
    };
    sendMore();
  });

  await setup.expectError('fetch.body_too_large');
});

test('a Content-Length above the limit is rejected before reading', async () => {
  await setup.serve((_, response) => {
    response.writeHead(200, { 'content-length': 10_000_000_000 });
    response.flushHeaders();
  });

  await setup.expectError('fetch.body_too_large');
});

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

/** Sends `head` once and then repeats `rest` until the connection closes. */
function sendRepeatedly(head: string, rest: string) {
  const chunk = Buffer.from(rest.repeat(Math.ceil(65_536 / rest.length)));
  return (socket: net.Socket) => {
    const sendMore = () => {
      while (!socket.destroyed && socket.write(chunk)) {}
      if (!socket.destroyed) socket.once('drain', sendMore);
    };
    socket.write(head);
    sendMore();
  };
}

test.each([
  ['informational responses', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 'headers_too_large'],
  ['one header', `${OK}x: `, 'a', 'headers_too_large'],
  ['chunk extensions', `${OK}${CHUNKED}\r\n5;`, 'a', 'body_too_large'],
  ['zeros before a chunk', `${OK}${CHUNKED}\r\n`, '0', 'body_too_large'],
  ['chunks of one byte', `${OK}${CHUNKED}\r\n`, '1;x=y\r\na\r\n', 'body_too_large'],
  ['trailers', `${OK}${CHUNKED}\r\n5\r\nhello\r\n0\r\n`, 'x: aaaaaaaa\r\n', 'headers_too_large'],
])('endless %s are cut off by a size limit, not by a timeout', async (_, head, rest, code) => {
  const idleOnly = { limits: { connectMs: 20_000, headersMs: 20_000, idleMs: 20_000, wholeMs: 20_000 } };
  setup.fetcher = testFetcher(idleOnly);
  await setup.serveBytes(sendRepeatedly(head, rest));

  await setup.expectError(`fetch.${code}`);
});

test.each([
  ['shorter than its Content-Length', `${OK}Content-Length: 50\r\n\r\nonly this`, 'body_cut'],
  [
    'shorter than its Content-Length, with Connection: close',
    `${OK}Connection: close\r\nContent-Length: 50\r\n\r\nonly this`,
    'body_cut',
  ],
  ['longer than its Content-Length', `${OK}Content-Length: 5\r\n\r\nhello world`, 'response_invalid'],
  ['followed by an unrequested response', `${OK}Content-Length: 5\r\n\r\nhello${OK}\r\n`, 'response_invalid'],
  ['followed by bytes after its last chunk', `${OK}${CHUNKED}\r\n0\r\n\r\nmore`, 'response_invalid'],
  ['declared with two lengths', `${OK}Content-Length: 5\r\nContent-Length: 9\r\n\r\nhello`, 'response_invalid'],
  [
    'declared with a length and as chunked',
    `${OK}Content-Length: 5\r\n${CHUNKED}\r\n5\r\nhello\r\n0\r\n\r\n`,
    'response_invalid',
  ],
  ['declared with a negative length', `${OK}Content-Length: -5\r\n\r\nhello`, 'response_invalid'],
  ['declared with a length above 2^64', `${OK}Content-Length: 99999999999999999999\r\n\r\nhello`, 'response_invalid'],
  ['cut off within a chunk', `${OK}${CHUNKED}\r\n20\r\nonly this`, 'body_cut'],
  ['malformed in its chunk size', `${OK}${CHUNKED}\r\nzz\r\nhello`, 'response_invalid'],
  ['in another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'response_invalid'],
  [
    'that switches to another protocol',
    'HTTP/1.1 101 x\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n',
    'connection_failed',
  ],
  ['with a folded header', `${OK}x: a\r\n folded\r\nContent-Length: 0\r\n\r\n`, 'response_invalid'],
  ['with a NUL byte in a header', `${OK}x: a\0b\r\nContent-Length: 0\r\n\r\n`, 'response_invalid'],
])('a response %s is rejected', async (_, bytes, code) => {
  await setup.serveBytes((socket) => socket.end(bytes));

  await setup.expectError(`fetch.${code}`);
});

test('with Connection: close, bytes after the Content-Length are not read', async () => {
  await setup.serveBytes((socket) => socket.end(`${OK}Connection: close\r\nContent-Length: 5\r\n\r\nhello world`));

  expect(await setup.get()).toMatchObject({ bytes: Buffer.from('hello') });
});

test('every request has its own connection', async () => {
  const ports = new Set<number | undefined>();
  await setup.serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.writeHead(request.url === '/' ? 302 : 200, { location: '/feed', connection: 'keep-alive' }).end('feed');
  });

  await setup.get();
  await setup.get();

  expect(ports.size).toBe(4);
});

test('hosts with the same address share no connection', async () => {
  const seen: string[] = [];
  const server = await setup.serve((request, response) => {
    seen.push(`${request.headers.host?.split(':')[0]} ${request.socket.remotePort}`);
    response.end('feed');
  });
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  setup.fetcher = testFetcher({ resolve, ports: [server.port] });

  for (const host of ['a.example', 'b.example', 'a.example'])
    await setup.fetcher.fetch({ url: `http://${host}:${server.port}/`, maxBytes: MAX_BYTES });

  expect(seen.map((entry) => entry.split(' ')[0])).toEqual(['a.example', 'b.example', 'a.example']);
  expect(new Set(seen).size).toBe(3);
});

test('a server without a TLS handshake causes a timeout', async () => {
  const server = await setup.serveBytes(() => {});

  await expect(
    setup.fetcher.fetch({ url: `https://127.0.0.1:${server.port}/`, maxBytes: MAX_BYTES }),
  ).rejects.toMatchObject({ code: 'fetch.timed_out' });
});

test('closing the fetcher closes a connection in its TLS handshake at once', async () => {
  setup.fetcher = testFetcher({ limits: { connectMs: 60_000 } });
  const server = await setup.serveBytes(() => {});
  const attempt = setup.fetcher.fetch({ url: `https://127.0.0.1:${server.port}/`, maxBytes: MAX_BYTES });
  const ending = expect(attempt).rejects.toThrow('closed');
  await expect.poll(() => server.open()).toBe(1);

  await setup.fetcher.close();

  await ending;
  await expect.poll(() => server.open()).toBe(0);
});

test('an untrusted certificate is rejected', async () => {
  const server = createServer({ ...getTLSOptions() }, (socket) => socket.end(`${OK}\r\nsecret`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;

  const attempt = setup.fetcher.fetch({ url: `https://localhost:${port}/`, maxBytes: MAX_BYTES });

  await expect(attempt).rejects.toMatchObject({ code: 'fetch.certificate_invalid' });
  await new Promise((resolve) => server.close(resolve));
});

test('closing the fetcher ends running requests and prevents new ones', async () => {
  let markArrived: () => void;
  const arrived = new Promise<void>((resolve) => {
    markArrived = resolve;
  });
  const server = await setup.serve((_, response) => {
    response.write('<rss>');
    markArrived();
  });

  const attempt = expect(setup.get()).rejects.toThrow('closed');
  await arrived;
  await setup.fetcher.close();
  await attempt;

  await expect(setup.get()).rejects.toThrow('closed');
  await expect.poll(() => server.open()).toBe(0);
});

test.each([
  ['before a response', '', 'connection_failed'],
  ['within the headers', 'HTTP/1.1 200 OK\r\nContent-Le', 'connection_failed'],
  ['within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', 'body_cut'],
])('a reset %s is reported', async (_, before, code) => {
  await setup.serveBytes((socket) => {
    if (before) socket.write(before, () => setTimeout(() => socket.resetAndDestroy(), 150));
    else socket.resetAndDestroy();
  });

  await setup.expectError(`fetch.${code}`);
});
