import { expect, test } from 'vitest';
import { oldFeeds } from '~/db/schema/rss-import';
import { maintainPartitions } from '~/server/domain/listening/partitions';
import { renderFeed } from '~/server/doors/feeds/feeds';
import { systemCtx } from '~/server/runtime/runtime';
import { attackedServer } from '../../support/attacked-server';
import { checkNewAudio } from '../../support/run-jobs';

const { runtime, make, sendRaw } = await attackedServer();
await maintainPartitions(systemCtx(runtime, 'listening.prepare'));

const get = (path: string, agent: string, host = 'altavoz.localhost:3000') =>
  sendRaw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${agent}\r\nConnection: close\r\n\r\n`);

test('downloads by the redirect of the former host are told from others', async () => {
  const creator = await make.creator();
  const product = await make.product(creator, { slug: 'olas' });
  const { id } = await make.draft(creator, product);
  await checkNewAudio(runtime);
  const row = { productId: product.id, creatorId: creator.creatorId, userId: creator.id, since: runtime.now() };
  await runtime.db.insert(oldFeeds).values({ ...row, feedUrl: 'https://old.example/feed', state: 'watching' });
  const report = () => creator.api.imports.oldFeed({ productId: product.id });
  const { redirectTo, downloads } = await report();
  expect(downloads).toEqual({ all: 0, fromOldFeed: 0 });

  const { pathname, search, host } = new URL(redirectTo);
  const marked = await get(pathname + search, 'Overcast/3.0', host);
  const plain = await get(pathname, 'Overcast/3.0', host);
  const fileIn = (xml: string) => /enclosure url="[^"]*(\/audio\/[^"]+)"/.exec(xml)?.[1] ?? '';
  expect([marked.status, plain.status]).toEqual([200, 200]);
  // apps that support the tag move to the plain address
  expect(marked.body).toContain(`<itunes:new-feed-url>${redirectTo.split('?')[0]}</itunes:new-feed-url>`);
  expect(plain.body).not.toContain('new-feed-url');
  expect([fileIn(marked.body), fileIn(plain.body)].map((path) => path.split('?')[1])).toEqual(['from=old', undefined]);
  for (const agent of ['Overcast/3.0', 'AntennaPod/3.1', 'AppleCoreMedia/1.0']) {
    expect((await get(fileIn(agent.startsWith('Over') ? marked.body : plain.body), agent)).status).toBe(200);
  }

  await expect.poll(async () => (await report()).downloads).toEqual({ all: 3, fromOldFeed: 1 });
  expect(id).toBeGreaterThan(0);
  const twice = await renderFeed(runtime, { domain: creator.domain, slug: 'olas' });
  expect(twice.body.toString()).not.toContain('from=old');
});
