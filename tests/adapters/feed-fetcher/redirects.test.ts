import { expect, test } from 'vitest';
import { followMove } from '~/server/adapters/feed-fetcher/requests';
import { setUpFetcher } from '../../support/fetcher-setup';

const setup = setUpFetcher();

test('redirect loops and chains of more than ten redirects are rejected', async () => {
  let requests = 0;
  await setup.serve((request, response) => {
    requests += 1;
    const step = Number(request.url?.slice(1));
    response.writeHead(302, { location: request.url === '/loop' ? '/loop' : `/${step + 1}` }).end();
  });

  await expect(setup.get('/loop')).rejects.toMatchObject({ code: 'fetch.too_many_redirects' });
  expect(requests).toBe(11);

  await setup.expectError('fetch.too_many_redirects', '/1');
});

test('ten redirects are followed, and a permanent move is reported', async () => {
  await setup.serve((request, response) => {
    const step = Number(request.url?.slice(1));
    if (step === 10) return void response.end('feed');
    response.writeHead(step % 2 ? 301 : 308, { location: `/${step + 1}` }).end();
  });

  const found = await setup.get('/0');

  expect(found).toMatchObject({ unchanged: false, url: setup.url('/10'), movedTo: setup.url('/10') });
});

test.each([
  ['http://169.254.169.254/latest/', 'address_private'],
  ['http://[::ffff:10.0.0.1]/', 'address_private'],
  ['http://2852039166/', 'address_private'],
  ['file:///etc/passwd', 'address_invalid'],
  ['gopher://127.0.0.1:6379/_FLUSHALL', 'address_invalid'],
  ['http://example.com:22/', 'port_forbidden'],
  ['http://[', 'address_invalid'],
  ['http://[::ffff:7f00:1%25eth0]/', 'address_invalid'],
  ['http://0x0a.1/', 'address_private'],
  ['//10.0.0.1/', 'address_private'],
  ['///10.0.0.1/', 'address_private'],
  ['\\\\10.0.0.1\\', 'address_private'],
  ['http:\\\\10.0.0.1\\@public.example/', 'address_private'],
  ['http://public.example@10.0.0.1/', 'address_private'],
  ['http://10.0.0.1:80@public.example:22/', 'port_forbidden'],
  ['ht\ttp://10.0.\t0.1/', 'address_private'],
  ['http://printer.local/', 'address_private'],
  ['https://10.0.0.1/', 'address_private'],
])('a redirect to %s is rejected', async (location, reason) => {
  await setup.serve((_, response) => response.writeHead(302, { location }).end());

  await setup.expectError(`fetch.${reason}`);
});

test('credentials and fragments in a redirect are removed', async () => {
  const seen: (string | undefined)[] = [];
  await setup.serve((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization}`);
    if (request.url === '/end') return void response.end('feed');
    response.writeHead(302, { location: `http://user:secret@127.0.0.1:${new URL(setup.url()).port}/end#part` }).end();
  });

  const found = await setup.get();

  expect(found.url).toBe(setup.url('/end'));
  expect(seen).toEqual(['/ undefined', '/end undefined']);
});

test('two different Location headers are rejected, and two equal ones accepted', async () => {
  await setup.serve((request, response) => {
    if (request.url === '/end') return void response.end('feed');
    response.writeHead(302, [
      ['location', '/end'],
      ['location', request.url === '/same' ? '/end' : 'http://10.0.0.1/'],
    ]);
    response.end();
  });

  await setup.expectError('fetch.response_invalid', '/two');
  expect(await setup.get('/same')).toMatchObject({ url: setup.url('/end') });
});

test('a line break in a redirect address does not start a new header', async () => {
  const seen: string[] = [];
  await setup.serve((request, response) => {
    seen.push(`${request.url} ${request.headers.evil}`);
    if (seen.length > 1) return void response.end('feed');
    response.writeHead(302, { location: '/a%0d%0aEvil:%20yes b\té' }).end();
  });

  await setup.get();

  expect(seen).toEqual(['/ undefined', '/a%0d%0aEvil:%20yes%20b%C3%A9 undefined']);
});

test('a Location header in UTF-8 is read as UTF-8', async () => {
  const seen: (string | undefined)[] = [];
  await setup.serveBytes((socket, request) => {
    seen.push(/^GET (\S+)/.exec(request)?.[1]);
    socket.end(
      seen.length === 1
        ? 'HTTP/1.1 302 Found\r\nLocation: /canción\r\nContent-Length: 0\r\n\r\n'
        : 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    );
  });

  await setup.get();

  expect(seen).toEqual(['/', '/canci%C3%B3n']);
});

test('a redirect without a Location header is an unexpected status', async () => {
  await setup.serve((_, response) => response.writeHead(302).end());

  await setup.expectError('fetch.status_unexpected');
});

test('the body of a redirect is not read', async () => {
  await setup.serve((request, response) => {
    if (request.url === '/end') return void response.end('feed');
    response.writeHead(302, { location: '/end', 'content-length': 1_000_000_000 });
    response.write('a');
  });

  expect(await setup.get()).toMatchObject({ url: setup.url('/end') });
});

const permanentAddress = (steps: [number, string][]) => {
  const from = new URL('https://old.example/');
  return steps.reduce(
    ({ moved, at }, [status, to]) => ({
      moved: followMove(moved, { status, from: at, to: new URL(to) }),
      at: new URL(to),
    }),
    { moved: { to: null, permanent: true } as { to: string | null; permanent: boolean }, at: from },
  ).moved.to;
};

test.each<[string, [number, string][], string | null]>([
  [
    'the last address if every redirect was permanent',
    [
      [301, 'https://a.example/'],
      [308, 'https://b.example/'],
    ],
    'https://b.example/',
  ],
  [
    'the address before the first temporary redirect',
    [
      [301, 'https://a.example/'],
      [302, 'https://b.example/'],
    ],
    'https://a.example/',
  ],
  [
    'none if the first redirect was temporary',
    [
      [307, 'https://a.example/'],
      [301, 'https://b.example/'],
    ],
    null,
  ],
  [
    'none if a redirect changed from https to http',
    [
      [301, 'http://a.example/'],
      [301, 'https://b.example/'],
    ],
    null,
  ],
])('the permanent address of a feed is %s', (_, steps, to) => {
  expect(permanentAddress(steps)).toBe(to);
});
