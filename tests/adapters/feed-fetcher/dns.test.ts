import { afterEach, expect, test } from 'vitest';
import { resolveWith } from '~/server/adapters/feed-fetcher/dns';
import { heldOpen } from '../../support/hostile';
import { type NameServer, nameServer } from '../../support/name-server';
import { MOST, onTrial } from '../../support/trial';
import { fetcherFor } from '../../support/trial-fetcher';

const trial = onTrial();
let names: NameServer | undefined;
afterEach(async () => {
  await names?.close();
  names = undefined;
});

const asking = async (answer: Parameters<typeof nameServer>[0]) => {
  names = await nameServer(answer);
  return resolveWith([names.address]);
};

/** Fetches from a public name that resolves, or seems to resolve, to our server. */
async function fetched(path: string, settings: Parameters<typeof fetcherFor>[0]) {
  const { port } = new URL(trial.url());
  const fetcher = fetcherFor({ ports: [Number(port)], ...settings });
  return fetcher.fetch({ url: `http://feed.example:${port}${path}`, maxBytes: MOST });
}

test('name servers return IPv4 and IPv6 addresses', async () => {
  const resolve = await asking(() => ['192.0.2.7', '192.0.2.8', '2001:db8::7']);

  const found = await resolve('feed.example', new AbortController().signal);

  expect(found).toEqual([
    { address: '192.0.2.7', family: 4 },
    { address: '192.0.2.8', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ]);
});

test('a name is fetched at its address, and rejected once that is private', async () => {
  await trial.serve((_, response) => response.end('feed'));
  const resolve = await asking((_, time) => (time === 1 ? ['127.0.0.1'] : ['10.0.0.1']));

  const first = await fetched('/', { resolve });

  expect(first).toMatchObject({ bytes: Buffer.from('feed') });
  expect(names!.asked).toEqual(['feed.example']);
  await expect(fetched('/', { resolve })).rejects.toMatchObject({ code: 'fetch.address_private' });
});

test('a name server that switches to a private address reaches nothing', async () => {
  const paths: (string | undefined)[] = [];
  await trial.serve((request, response) => {
    paths.push(request.url);
    response.writeHead(302, { location: '/secret' }).end();
  });
  const resolve = await asking((_, time) => (time === 1 ? ['127.0.0.1'] : ['169.254.169.254']));

  const attempt = fetched('/', { resolve });

  await expect(attempt).rejects.toMatchObject({ code: 'fetch.address_private' });
  expect(paths).toEqual(['/']);
});

test('one private address among public ones, IPv4 or IPv6, rejects the name', async () => {
  const server = await trial.serve((_, response) => response.end('secret'));
  for (const list of [['8.8.8.8', '127.0.0.1'], ['8.8.8.8', '::1'], ['2606:4700::1', 'fd00::1'], ['64:ff9b::7f00:1']]) {
    const resolve = await asking(() => list);

    await expect(fetched('/', { resolve, allowLoopback: false })).rejects.toMatchObject({
      code: 'fetch.address_private',
    });
    await names!.close();
    names = undefined;
  }
  expect(server.open()).toBe(0);
});

test('a name without addresses is unknown', async () => {
  await trial.serve((_, response) => response.end('feed'));
  const resolve = await asking(() => []);

  await expect(fetched('/', { resolve })).rejects.toMatchObject({ code: 'fetch.name_unknown' });
});

test('a silent name server causes a timeout and is not queried again', async () => {
  await trial.serve((_, response) => response.end('feed'));
  const resolve = await asking(() => null);
  const before = heldOpen();

  await expect(fetched('/', { resolve })).rejects.toMatchObject({ code: 'fetch.timed_out' });

  await expect.poll(heldOpen).toBeLessThanOrEqual(before);
});

test('with the test setting, localhost names resolve to this machine without a query', async () => {
  const { port } = await trial.serve((request, response) => response.end(request.headers.host));

  const found = await trial.fetcher.fetch({ url: `http://app.localhost:${port}/`, maxBytes: MOST });

  expect(found).toMatchObject({ bytes: Buffer.from(`app.localhost:${port}`) });
});
