import { expect, test } from 'vitest';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const { sendRaw, lucia, podcast, episodes } = await attackedServer();
const CREATOR_HOST = 'staging-lucia.altavoz.localhost:3000';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const { id } = episodes.podcast.public;
const UUID = '00000000-0000-4000-8000-000000000000';

const PATHS: [string, string][] = [
  [APP_HOST, '/'],
  [APP_HOST, '/login'],
  [APP_HOST, '/en/discover'],
  [APP_HOST, '/en/blog'],
  [APP_HOST, '/es/funcionalidades'],
  [APP_HOST, '/en/podcast/a'],
  [APP_HOST, '/en/help'],
  [APP_HOST, '/en/move-from/ivoox'],
  [APP_HOST, '/feed-preview'],
  [APP_HOST, '/feed-preview/unknown'],
  [APP_HOST, '/content-pictures/a.png'],
  [APP_HOST, '/share/site/en/0123456789abcdef.png'],
  [APP_HOST, '/healthz'],
  [APP_HOST, '/robots.txt'],
  [APP_HOST, '/sitemap.xml'],
  [APP_HOST, '/oembed'],
  [APP_HOST, '/favicon.ico'],
  [APP_HOST, '/webhooks/stripe'],
  [APP_HOST, '/mcp'],
  [APP_HOST, '/oauth/token'],
  [APP_HOST, '/oauth/register'],
  [APP_HOST, '/oauth/revoke'],
  [APP_HOST, '/.well-known/oauth-authorization-server'],
  [APP_HOST, '/.well-known/oauth-protected-resource/mcp'],
  [APP_HOST, '/trpc/accounts.logIn'],
  [APP_HOST, '/api/podcasts/'],
  [APP_HOST, '/v1/shows'],
  [APP_HOST, '/v1/openapi.json'],
  [APP_HOST, '/developers'],
  [APP_HOST, '/es/developers/webhooks'],
  [APP_HOST, '/api/auth/login/'],
  [APP_HOST, `/feed/private/${'a'.repeat(43)}`],
  [APP_HOST, '/media/images/1/abc/320.webp'],
  [APP_HOST, `/audio/${id}/a.mp3`],
  [APP_HOST, `/audio/${id}/chapters.json`],
  [APP_HOST, `/transcripts/${id}/a.vtt`],
  [APP_HOST, `/share/show/${podcast.id}/abc.jpg`],
  [APP_HOST, `/exports/${UUID}.zip`],
  [APP_HOST, `/archives/${UUID}.zip`],
  [APP_HOST, `/uploads/form/${'f'.repeat(32)}`],
  [APP_HOST, '/soundbite-videos/1'],
  [CREATOR_HOST, '/'],
  [CREATOR_HOST, `/p/${podcast.slug}`],
  [CREATOR_HOST, `/p/${podcast.slug}/feed.xml`],
  [CREATOR_HOST, '/robots.txt'],
];

function headersFor(method: string, host: string): string {
  const form = 'content-type: application/x-www-form-urlencoded\r\ncontent-length: 3\r\n';
  // an answer to HEAD has the length of a body that does not follow, so only the closed connection ends it
  return `host: ${host}\r\nconnection: close\r\ncookie: token=${lucia.token}\r\n${method === 'POST' ? form : ''}\r\n`;
}

test.each(PATHS)('at %s%s, a 405 names the methods that are no 405', async (host, path) => {
  const refused = new Map<string, string[]>();
  for (const method of METHODS) {
    const body = method === 'POST' ? 'a=b' : '';
    const { status, head } = await sendRaw(`${method} ${path} HTTP/1.1\r\n${headersFor(method, host)}${body}`);
    if (status === 405) refused.set(method, /^allow: (.+)\r$/im.exec(head)?.[1]?.split(', ') ?? []);
  }

  expect(refused.size).toBeGreaterThan(0);
  for (const [method, allowed] of refused) {
    expect([method, allowed.length]).not.toEqual([method, 0]);
    expect([method, allowed.filter((name) => refused.has(name))]).toEqual([method, []]);
  }
});

test('a batch with the wrong method may name an unknown procedure too', async () => {
  const { status, body } = await sendRaw(
    `GET /trpc/unknown,accounts.logIn?batch=1&input=%7B%7D HTTP/1.1\r\n${headersFor('GET', APP_HOST)}`,
  );

  expect([status, [...body.matchAll(/"httpStatus":(\d+)/g)].map(([, code]) => code)]).toEqual([207, ['404', '405']]);
});
