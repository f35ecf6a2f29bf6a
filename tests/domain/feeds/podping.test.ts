import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from 'stripe-sandbox/testing/at-end';
import { expect, test } from 'vitest';
import { podpingGateway } from '~/server/adapters/podping/gateway';
import { podpingFeed } from '~/server/domain/feeds/hub-pings';
import { parseEnv } from '~/server/env/read';
import { pingHub, podpingFeed as podpingJob } from '~/server/queue/jobs/feeds';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { runJobs } from '../../support/run-jobs';
import { testFetcher } from '../../support/test-fetcher';

const { runtime, lucia, podcast, episodes } = await cast();
const received: { url: URL; authorization?: string }[] = [];
let status = 200;
const gateway = createServer((req, res) => {
  received.push({ url: new URL(req.url ?? '', 'http://gateway'), authorization: req.headers.authorization });
  res.writeHead(status, { location: '/elsewhere' }).end('Success!');
});
await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
const fetcher = testFetcher();
atEnd(async () => {
  await fetcher.close();
  gateway.close();
});
const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/`;
const rename = (name: string) => lucia.api.episodes.update({ id: episodes.podcast.public.id, kind: 'podcast', name });
const announce = () => runJobs(runtime, podpingJob.name, (payload, ctx) => podpingFeed(ctx, payload));

test('without its settings, no job is enqueued', async () => {
  await rename('Cero');

  expect(runtime.ports.podping).toBeNull();
  expect(await announce()).toBe(0);
});

test('Podping learns of a changed feed, once of several changes, with the token', async () => {
  Object.assign(runtime.ports, { podping: podpingGateway({ url, token: 'a-token' }, fetcher) });
  await rename('Uno');
  await rename('Dos');

  expect(await announce()).toBeGreaterThan(1);

  const feed = runtime.urls.feed(lucia.domain!, podcast.slug);
  expect(received).toHaveLength(1);
  expect(Object.fromEntries(received[0]!.url.searchParams)).toEqual({ url: feed, reason: 'update', medium: 'podcast' });
  expect(received[0]!.authorization).toBe('a-token');
  // the hub is asked separately, if there is one
  expect(await runJobs(runtime, pingHub.name, async () => {})).toBe(0);
});

test('a gateway that is down is asked again, one that refuses is not, and no redirect gets the token', async () => {
  const ctx = systemCtx(runtime, 'test');
  const payload = { productId: podcast.id };
  await rename('Tres');
  const before = received.length;

  status = 503;
  await expect(podpingFeed(ctx, payload)).rejects.toThrow();
  status = 307;
  await podpingFeed(ctx, payload);
  await podpingFeed(ctx, payload);

  expect(received.slice(before).map((request) => request.url.pathname)).toEqual(['/', '/']);
});

test('the address and the token come together', () => {
  expect(parseEnv({}).podping).toBeNull();
  expect(() => parseEnv({ PODPING_URL: 'https://podping.cloud/' })).toThrow('PODPING_TOKEN must be set');
  expect(() => parseEnv({ PODPING_TOKEN: 'word' })).toThrow('PODPING_URL must be set');
  const settings = { PODPING_URL: 'https://podping.cloud/', PODPING_TOKEN: 'word' };
  expect(parseEnv(settings).podping).toEqual({ url: 'https://podping.cloud/', token: 'word' });
});
