import { afterEach, expect, test } from 'vitest';
import { isAllowedIp, parsePublicUrl } from '~/server/adapters/feed-fetcher/addresses';
import { feedFetcher } from '~/server/adapters/feed-fetcher/fetcher';
import type { FetcherSettings } from '~/server/adapters/feed-fetcher/port';
import { type Hostile, hostileServer } from '../../support/hostile';

const PRIVATE = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://0x7f.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http://127.0.0.1./',
  'http://0/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://192.0.0.1/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456::1]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://[100::1]/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://app.localhost/',
  'http://printer.local/',
  'http://metadata.google.internal/',
  'http://intranet/',
];

test.each(PRIVATE)('%s is rejected as private', (url) => {
  expect(() => parsePublicUrl(url, {})).toThrow(expect.objectContaining({ code: 'fetch.address_private' }));
});

test.each([
  ['file:///etc/passwd'],
  ['ftp://example.com/feed'],
  ['gopher://example.com/'],
  ['data:text/xml,<rss/>'],
  ['javascript:alert(1)'],
  ['//example.com/feed'],
  ['not an address'],
  ['http://'],
  ['http://a:b@example.com/'],
  ['http://public.example@127.0.0.1/'],
  ['http://127.0.0.1:80@public.example/'],
  [`http://example.com/${'a'.repeat(5000)}`],
])('%s is rejected as invalid', (url) => {
  expect(() => parsePublicUrl(url, {})).toThrow(expect.objectContaining({ code: 'fetch.address_invalid' }));
});

test('only web ports are allowed unless others are configured', () => {
  expect(() => parsePublicUrl('http://example.com:22/', {})).toThrow(
    expect.objectContaining({ code: 'fetch.port_forbidden' }),
  );
  expect(() => parsePublicUrl('https://example.com:6379/', {})).toThrow(
    expect.objectContaining({ code: 'fetch.port_forbidden' }),
  );

  expect(parsePublicUrl('https://example.com:8443/', { ports: [443, 8443] }).port).toBe('8443');
});

test.each(['http://example.com/', 'https://8.8.8.8/', 'http://[2606:4700::1111]/', 'https://xn--bcher-kva.example/'])(
  '%s is allowed',
  (url) => {
    expect(parsePublicUrl(`${url}#part`, {}).href).toBe(url);
  },
);

test('the test setting allows loopback and nothing else', () => {
  expect(isAllowedIp('127.0.0.1', { allowLoopback: true })).toBe(true);
  expect(isAllowedIp('::ffff:127.0.0.1', { allowLoopback: true })).toBe(true);

  for (const address of ['10.0.0.1', '169.254.169.254', 'fe80::1%eth0', '0.0.0.0', '64:ff9b::7f00:1'])
    expect(isAllowedIp(address, { allowLoopback: true })).toBe(false);
});

let server: Hostile | undefined;
afterEach(() => server?.close());

async function fetching(url: string, settings: Partial<FetcherSettings>) {
  const fetcher = feedFetcher({ contact: 'https://altavoz.example/contact', ...settings });
  try {
    return await fetcher.fetch({ url, maxBytes: 1000 });
  } finally {
    await fetcher.close();
  }
}

const resolverWith = (...lists: string[][]) => {
  const state = { calls: 0 };
  const resolve = async () => {
    const list = lists[Math.min(state.calls++, lists.length - 1)]!;
    return list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { resolve, state };
};

test.each([
  [['127.0.0.1']],
  [['10.0.0.7']],
  [['8.8.8.8', '127.0.0.1']],
  [['::ffff:192.168.0.1']],
  [['64:ff9b::7f00:1']],
  [['fd00::1']],
])('a public name that resolves to %s is rejected before connecting', async (list) => {
  server = await hostileServer((_, response) => response.end('secret'));
  const { resolve } = resolverWith(list);

  const attempt = fetching(`http://rebind.example:${server.port}/`, { ports: [server.port], resolve });

  await expect(attempt).rejects.toMatchObject({ code: 'fetch.address_private' });
  expect(server.open()).toBe(0);
});

test('a name is resolved once per connection, so a second answer changes nothing', async () => {
  server = await hostileServer((_, response) => response.end('feed'));
  const { resolve, state } = resolverWith(['127.0.0.1'], ['10.0.0.1']);

  const found = await fetching(`http://rebind.example:${server.port}/`, {
    allowLoopback: true,
    ports: [server.port],
    resolve,
  });

  expect(found).toMatchObject({ unchanged: false, bytes: Buffer.from('feed') });
  expect(state.calls).toBe(1);
});

test('the next connection resolves and checks the name again', async () => {
  server = await hostileServer((request, response) => {
    if (request.url === '/secret') return void response.end('secret');
    response.writeHead(302, { location: '/secret', connection: 'close' }).end();
  });
  const { resolve } = resolverWith(['127.0.0.1'], ['10.0.0.1']);

  const attempt = fetching(`http://rebind.example:${server.port}/`, {
    allowLoopback: true,
    ports: [server.port],
    resolve,
  });

  await expect(attempt).rejects.toMatchObject({ code: 'fetch.address_private' });
});

test('an unknown name is rejected', async () => {
  const resolve = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));

  await expect(fetching('http://nowhere.example/', { resolve })).rejects.toMatchObject({ code: 'fetch.name_unknown' });
});
