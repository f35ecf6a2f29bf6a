import { afterAll, expect, test } from 'vitest';
import { feedFetcher } from '~/server/adapters/feed-fetcher/fetcher';
import { newsletterStage } from '../domain/newsletter/sent-editions';
import { hostileServer } from '../support/hostile';
import { testFetcher } from '../support/test-fetcher';

const { runtime, publisher, draft } = await newsletterStage();
const reached: string[] = [];
let location = '';
const site = await hostileServer((request, response) => {
  reached.push(request.url ?? '');
  if (request.url === '/moved') response.writeHead(302, { location }).end();
  else response.end('a page');
});
const strict = feedFetcher({ contact: 'https://altavoz.example/contact' });
const loopback = testFetcher();
afterAll(() => Promise.all([strict.close(), loopback.close(), site.close()]));

async function check(addresses: string[]) {
  const owner = await publisher();
  const content = addresses.map((address) => `<p><a href="${address}">a link</a></p>`).join('');
  const { id } = await draft(owner, { content });
  return owner.api.editions.checkLinks({ id });
}

test('no spelling of an address of this computer or its network is requested to check a link', async () => {
  runtime.ports.fetcher = strict;
  const hosts = [
    ...['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0', '0.0.0.0', 'localhost', 'localhost.'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
    ...['10.0.0.1', '169.254.169.254', '[fd00::1]', '[fe80::1]', '100.64.0.1', '192.0.0.192', 'user:pass@127.0.0.1'],
  ];
  reached.length = 0;

  const { faulty, working } = await check(hosts.map((host) => `http://${host}:${site.port}/`));

  expect([reached, working]).toEqual([[], 0]);
  expect(faulty.length).toBeGreaterThan(0);
});

test.each([
  'http://10.0.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00::1]/',
  'http://[::ffff:10.0.0.1]/',
  'file:///etc/passwd',
  'gopher://10.0.0.1/',
])('a public page cannot send the check of a link on to %s', async (to) => {
  runtime.ports.fetcher = loopback;
  location = to;

  const { faulty, working } = await check([site.url('/moved')]);

  expect(working).toBe(0);
  expect(faulty).toHaveLength(1);
});
