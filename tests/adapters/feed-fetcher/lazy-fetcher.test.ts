import { expect, test } from 'vitest';
import { lazyFetcher } from '~/server/adapters/feed-fetcher/lazy-fetcher';
import { parseEnv } from '~/server/env/read';
import { hostileServer } from '../../support/hostile';
import { reachableModules } from '../../support/static-imports';

test('the client is loaded by the first fetch and uses the settings', async () => {
  const server = await hostileServer((request, response) => response.end(request.headers['user-agent']));
  const settings = { FETCH_ALLOW_LOOPBACK: '1', FETCH_CONTACT: 'feeds@altavoz.example' };
  const fetcher = lazyFetcher(parseEnv(settings).fetcher);

  const found = await fetcher.fetch({ url: server.url(), maxBytes: 1000 });

  expect(found).toMatchObject({ bytes: Buffer.from('Altavoz (podcast hosting; +feeds@altavoz.example)') });
  await fetcher.close();
  await server.close();
});

test('the client is loaded by the first fetch, not by the start', () => {
  expect(reachableModules('server/adapters/feed-fetcher/fetcher.ts')).toContain('undici');
  expect(reachableModules('server/runtime/select-ports.ts')).not.toContain('undici');
});

test('by default, loopback and other ports are rejected', async () => {
  const fetcher = lazyFetcher(parseEnv({ FETCH_PORTS: '443' }).fetcher);
  const fetching = (url: string) => fetcher.fetch({ url, maxBytes: 1000 });

  await expect(fetching('http://127.0.0.1:443/')).rejects.toMatchObject({ code: 'fetch.address_private' });
  await expect(fetching('http://feeds.example/')).rejects.toMatchObject({ code: 'fetch.port_forbidden' });
  await fetcher.close();
});
