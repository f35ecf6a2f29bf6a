import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { chooseFetcher } from '~/server/adapters/feed-fetcher/lazy-fetcher';
import { parseEnv } from '~/server/env/read';
import { hostileServer } from '../../support/hostile';

const isClientLoaded = () =>
  Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('/undici/'));

test('the client loads with the first fetch, and asks as the settings say', async () => {
  const server = await hostileServer((request, response) => response.end(request.headers['user-agent']));
  const settings = { FETCH_ALLOW_LOOPBACK: '1', FETCH_CONTACT: 'feeds@altavoz.example' };
  const fetcher = chooseFetcher(parseEnv(settings).fetcher);
  await chooseFetcher(parseEnv(settings).fetcher).close();
  const before = isClientLoaded();

  const found = await fetcher.fetch({ url: server.url(), maxBytes: 1000 });

  expect(before).toBe(false);
  expect(isClientLoaded()).toBe(true);
  expect(found).toMatchObject({ bytes: Buffer.from('Altavoz (podcast hosting; +feeds@altavoz.example)') });
  await fetcher.close();
  await server.close();
});

test('without settings this machine is out of reach, and so are ports that nobody named', async () => {
  const fetcher = chooseFetcher(parseEnv({ FETCH_PORTS: '443' }).fetcher);
  const fetching = (url: string) => fetcher.fetch({ url, maxBytes: 1000 });

  await expect(fetching('http://127.0.0.1:443/')).rejects.toMatchObject({ code: 'fetch.address_private' });
  await expect(fetching('http://feeds.example/')).rejects.toMatchObject({ code: 'fetch.port_forbidden' });
  await fetcher.close();
});
