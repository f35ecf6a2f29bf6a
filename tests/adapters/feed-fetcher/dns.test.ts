import { afterEach, expect, test } from 'vitest';
import { resolveWith } from '~/server/adapters/feed-fetcher/dns';
import { MAX_BYTES, setUpFetcher } from '../../support/fetcher-setup';
import { heldOpen } from '../../support/hostile';
import { type NameServer, nameServer } from '../../support/name-server';
import { testFetcher } from '../../support/test-fetcher';

const setup = setUpFetcher();
let names: NameServer | undefined;
afterEach(async () => {
  await names?.close();
  names = undefined;
});

const startResolver = async (answer: Parameters<typeof nameServer>[0]) => {
  names = await nameServer(answer);
  return resolveWith([names.address]);
};

/** Fetches from a public name that the resolver may point at our server. */
async function fetchByName(path: string, settings: Parameters<typeof testFetcher>[0]) {
  const { port } = new URL(setup.url());
  const fetcher = testFetcher({ ports: [Number(port)], ...settings });
  return fetcher.fetch({ url: `http://feed.example:${port}${path}`, maxBytes: MAX_BYTES });
}

test('name servers return IPv4 and IPv6 addresses', async () => {
  const resolve = await startResolver(() => ['192.0.2.7', '192.0.2.8', '2001:db8::7']);

  const found = await resolve('feed.example', new AbortController().signal);

  expect(found).toEqual([
    { address: '192.0.2.7', family: 4 },
    { address: '192.0.2.8', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ]);
});

test('a name is fetched at its address, and rejected once it resolves to a private one', async () => {
  await setup.serve((_, response) => response.end('feed'));
  const resolve = await startResolver((_, time) => (time === 1 ? ['127.0.0.1'] : ['10.0.0.1']));

  const first = await fetchByName('/', { resolve });

  expect(first).toMatchObject({ bytes: Buffer.from('feed') });
  expect(names!.queries).toEqual(['feed.example']);
  await expect(fetchByName('/', { resolve })).rejects.toMatchObject({ code: 'fetch.address_private' });
});

test('a redirect cannot reach a private address that the name server returns later', async () => {
  const paths: (string | undefined)[] = [];
  await setup.serve((request, response) => {
    paths.push(request.url);
    response.writeHead(302, { location: '/secret' }).end();
  });
  const resolve = await startResolver((_, time) => (time === 1 ? ['127.0.0.1'] : ['169.254.169.254']));

  const attempt = fetchByName('/', { resolve });

  await expect(attempt).rejects.toMatchObject({ code: 'fetch.address_private' });
  expect(paths).toEqual(['/']);
});

test('a name with one private address among public ones is rejected, for IPv4 and IPv6', async () => {
  const server = await setup.serve((_, response) => response.end('secret'));
  for (const list of [['8.8.8.8', '127.0.0.1'], ['8.8.8.8', '::1'], ['2606:4700::1', 'fd00::1'], ['64:ff9b::7f00:1']]) {
    const resolve = await startResolver(() => list);

    await expect(fetchByName('/', { resolve, allowLoopback: false })).rejects.toMatchObject({
      code: 'fetch.address_private',
    });
    await names!.close();
    names = undefined;
  }
  expect(server.open()).toBe(0);
});

test('a name without addresses is unknown', async () => {
  await setup.serve((_, response) => response.end('feed'));
  const resolve = await startResolver(() => []);

  await expect(fetchByName('/', { resolve })).rejects.toMatchObject({ code: 'fetch.name_unknown' });
});

test('a silent name server causes a timeout and is not queried again', async () => {
  await setup.serve((_, response) => response.end('feed'));
  const resolve = await startResolver(() => null);
  const before = heldOpen();

  await expect(fetchByName('/', { resolve })).rejects.toMatchObject({ code: 'fetch.timed_out' });

  await expect.poll(heldOpen).toBeLessThanOrEqual(before);
});

test('with the test setting, localhost names resolve to this machine without a query', async () => {
  const { port } = await setup.serve((request, response) => response.end(request.headers.host));

  const found = await setup.fetcher.fetch({ url: `http://app.localhost:${port}/`, maxBytes: MAX_BYTES });

  expect(found).toMatchObject({ bytes: Buffer.from(`app.localhost:${port}`) });
});
