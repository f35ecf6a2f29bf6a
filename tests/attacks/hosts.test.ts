import { expect, test } from 'vitest';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const { lucia, podcast, episodes, sendRaw } = await attackedServer();
const CREATOR_HOST = `staging-${lucia.domain}.altavoz.localhost:3000`;
const AUDIO = `/audio/${episodes.podcast.public.id}/episode.mp3`;

const get = (host: string, path: string, method = 'GET') =>
  sendRaw(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

test.each(['evil.example', 'altavoz.localhost.evil.example', 'a.lucia.altavoz.localhost', 'xaltavoz.localhost'])(
  'nothing is served at the foreign host %s except the health check',
  async (host) => {
    const paths = [
      '/',
      '/login',
      '/readyz',
      '/metrics',
      '/p/x/feed.xml',
      '/trpc/accounts.me',
      '/api/countries/',
      '/.well-known/oauth-authorization-server',
      '/v1/shows',
      AUDIO,
    ];
    for (const path of [...paths, '/media/images/1/x/full.jpg', '/uploads/tus', '/healthzz']) {
      const { status, body } = await get(host, path);
      expect([path, status, body]).toEqual([path, 421, 'This host is not served here.']);
    }
    expect((await get(host, '/healthz')).status).toBe(200);
  },
);

test.each([APP_HOST, CREATOR_HOST, 'localhost:3000', '127.0.0.1', '[::1]:3000', 'altavoz.localhost'])(
  'our host %s is served',
  async (host) => {
    expect((await get(host, '/')).status).toBeLessThan(400);
  },
);

test.each([`/p/${podcast.slug}`, `/p/${podcast.slug}/feed.xml`])(
  '%s from memory is refused at a host that no address can have',
  async (path) => {
    for (let i = 0; i < 2; i++) expect((await get(CREATOR_HOST, path)).status).toBe(200);

    for (const host of [CREATOR_HOST.replace(':3000', ':999999'), `${CREATOR_HOST.replace(':3000', '')}.:x`])
      expect([host, (await get(host, path)).status]).toEqual([host, 400]);
  },
);

test.each(['/p/../metrics', '/p/../healthz', '/p/%2e%2e/api/countries/', '/p/x/..', '/./login'])(
  'no host serves %s, which leads to a path of the app',
  async (path) => {
    for (const host of [APP_HOST, CREATOR_HOST]) {
      const { status, body } = await get(host, path);
      expect([host, status, body]).toEqual([host, 404, 'Not found.']);
    }
  },
);

const [COVER] = [`/media/${podcast.coverKey}/full.jpg`];
const FEED = `/p/${podcast.slug}/feed.xml`;

test.each([
  ['a picture', APP_HOST, COVER, 200],
  ['a missing picture', APP_HOST, '/media/images/1/x/full.jpg', 404],
  ['a missing picture of a text', APP_HOST, '/content-pictures/none.png', 404],
  ['audio', APP_HOST, AUDIO, 200],
  ['missing audio', APP_HOST, '/audio/999999/x.mp3', 404],
  ['a feed', CREATOR_HOST, FEED, 200],
  ['a missing feed', CREATOR_HOST, '/p/none/feed.xml', 404],
  ['a video', APP_HOST, '/soundbite-videos/1', 405],
  ['an upload', APP_HOST, `/uploads/form/${'f'.repeat(32)}`, 405],
  ['a redirect', APP_HOST, `/@${lucia.domain}`, 301],
])('no browser renders %s as a page', async (_, host, path, expected) => {
  const { status, head } = await get(host, path, 'HEAD');

  expect(status).toBe(expected);
  expect(head).toMatch(/^x-content-type-options: nosniff/im);
  expect(head).toMatch(/^content-security-policy: default-src 'none'; frame-ancestors 'none'/im);
});

test('doubled slashes redirect to a path of the same host', async () => {
  for (const path of ['//evil.example//x', '///evil.example']) {
    const { status, head } = await get(APP_HOST, path);
    expect([path, status, /^location: (.*)$/im.exec(head)?.[1]?.trim()]).toEqual([
      path,
      308,
      expect.stringMatching(/^\/evil\.example(?:\/x)?$/),
    ]);
  }
});

test.each([
  ['a page', CREATOR_HOST, '/', 200],
  ['a redirect', APP_HOST, `/@${lucia.domain}`, 301],
])('%s at an address of more than 500 characters is not cached', async (_, host, path, expected) => {
  const address = `${path}?utm_source=${'x'.repeat(500)}`;

  const { status, head } = await get(host, address);

  expect(status).toBe(expected);
  expect(head).toMatch(/^cache-control: (?:private, no-cache|no-store)/im);
});

test.each(['/move-from', '/es/mudarse-desde/ivoox', '/feed-preview', '/feed-preview/unknown'])(
  "no creator's host serves %s of the app",
  async (path) => {
    const { status, head } = await get(CREATOR_HOST, path);

    expect([
      path,
      status === 404 || (status >= 300 && /^location: https?:\/\/altavoz\.localhost/im.test(head)),
    ]).toEqual([path, true]);
  },
);
