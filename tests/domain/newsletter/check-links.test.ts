import type http from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { RATE_LIMITS } from '~/server/limits/http';
import { LINK_LIMITS } from '~/server/limits/newsletter';
import { hostileServer } from '../../support/hostile';
import '../../support/matchers';
import { testFetcher } from '../../support/test-fetcher';
import { newsletterStage } from './sent-editions';

const { runtime, make, publisher, draft } = await newsletterStage();
const requests: string[] = [];
const site = await hostileServer((request, response) => {
  requests.push(request.url ?? '');
  ANSWERS[request.url ?? '']?.(response) ?? response.end('a page');
});
const fetcher = testFetcher();
runtime.ports.fetcher = fetcher;
afterAll(() => Promise.all([fetcher.close(), site.close()]));

const ANSWERS: Record<string, (response: http.ServerResponse) => unknown> = {
  '/moved': (response) => response.writeHead(302, { location: '/page' }).end(),
  '/gone': (response) => response.writeHead(410).end(),
  '/guarded': (response) => response.writeHead(403).end(),
  '/broken': (response) => response.writeHead(500).end(),
  '/silent': () => true,
  '/circle': (response) => response.writeHead(302, { location: '/circle' }).end(),
};
const linksTo = (addresses: string[]) => addresses.map((address) => `<p><a href="${address}">a link</a></p>`).join('');

test('each link that does not lead to a page is named, with the reason', async () => {
  const owner = await publisher();
  const paths = ['page', 'moved', 'gone', 'guarded', 'broken', 'silent', 'circle'];
  const hosts = ['http://nowhere.invalid/', 'http://192.168.0.1/admin'];
  const { id } = await draft(owner, { content: linksTo([...paths.map((path) => site.url(`/${path}`)), ...hosts]) });

  const { faulty, working, left } = await owner.api.editions.checkLinks({ id });

  const found = Object.fromEntries(faulty.map(({ address, fault }) => [address.replace(site.url(), ''), fault]));
  expect(found).toEqual({
    gone: 'missing',
    guarded: 'unclear',
    broken: 'failing',
    silent: 'no_answer',
    circle: 'circular',
    'http://nowhere.invalid/': 'no_host',
    'http://192.168.0.1/admin': 'not_public',
  });
  expect({ working, left }).toEqual({ working: 2, left: 0 });
  expect(faulty[0]).toMatchObject({ text: 'The site has no page at this address.' });
});

test('our own pages are not requested, and of many links only the first', async () => {
  const owner = await publisher();
  const many = Array.from({ length: LINK_LIMITS.links + 3 }, (_, i) => site.url(`/many/${i}`));
  const { id } = await draft(owner, { content: linksTo([runtime.urls.app('/nothing-here'), ...many]) });

  const checked = await owner.api.editions.checkLinks({ id });

  expect(checked).toEqual({ faulty: [], working: LINK_LIMITS.links, left: 3 });
  expect(requests.filter((path) => path.startsWith('/many'))).toHaveLength(LINK_LIMITS.links);
});

test('a link that does not work keeps nobody from sending, and others can check nothing', async () => {
  const owner = await publisher();
  const other = await make.creator();
  const { id } = await draft(owner, { content: linksTo([site.url('/gone')]) });

  await expect(other.api.editions.checkLinks({ id })).toFailWith('newsletter.edition_not_found');
  expect((await owner.api.editions.preview({ id })).problems).toEqual([]);
});

test('a creator can check so often, and others still can', async () => {
  const [owner, other] = [await publisher(), await publisher()];
  const [own, others] = [await draft(owner), await draft(other)];
  for (let i = 0; i < RATE_LIMITS.checkLinks.points; i++) await owner.api.editions.checkLinks({ id: own.id });

  await expect(owner.api.editions.checkLinks({ id: own.id })).toFailWith('common.too_many_requests');
  expect(await other.api.editions.checkLinks({ id: others.id })).toEqual({ faulty: [], working: 0, left: 0 });
});
