import { expect, test } from 'vitest';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const { lucia, podcast, episodes, sendRaw } = await attackedServer();
const CREATOR_HOST = `staging-${lucia.domain}.altavoz.localhost:3000`;

test.each([
  [APP_HOST, '/'],
  [CREATOR_HOST, '/'],
  [CREATOR_HOST, `/p/${podcast.slug}`],
  [APP_HOST, `/embed/${episodes.podcast.public.id}`],
])(
  'the page at %s%s is shared, because each of its inline scripts and styles carried the nonce',
  async (host, path) => {
    const { status, head } = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);

    expect([status, /^cache-control: (.*)$/im.exec(head)?.[1]?.trim()]).toEqual([200, 'public, no-cache']);
    expect(head).toMatch(/content-security-policy: .*'sha256-/i);
    expect(head).not.toContain("'nonce-");
  },
);

test('a visitor from a recommendation gets a cookie with the shared page of the app, and no other visitor does', async () => {
  const get = async (path: string, host = APP_HOST) =>
    (await sendRaw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).head;
  const cookiesIn = (head: string) => [...head.matchAll(/^set-cookie: (\w+=[^;]*)/gim)].map(([, cookie]) => cookie);

  const heads = [
    await get('/?ref=ana'),
    await get('/?ref=tom&utm_source=mail'),
    await get('/'),
    await get(`/p/${podcast.slug}?ref=ana`, CREATOR_HOST),
  ];

  expect(heads.map(cookiesIn)).toEqual([['affiliate=ana'], ['affiliate=tom', 'campaign=utm_source%3Dmail'], [], []]);
  for (const head of heads) expect(head).toMatch(/^cache-control: public, no-cache\r$/im);
});

test('an embedded player is the same for all visitors, logged in or not, and caches keep only its themes apart', async () => {
  const base = `/embed/p/${podcast.id}`;
  const get = async (path: string, cookie = '') =>
    (await sendRaw(`GET ${path} HTTP/1.1\r\nHost: ${APP_HOST}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`)).head;
  const etagOf = (head: string) => /^etag: (.*)$/im.exec(head)?.[1]?.trim();
  const session = `token=${lucia.token}; podcaster=${lucia.creatorId}`;

  const [visitor, owner, other, dark] = [
    await get(base),
    await get(base, session),
    await get(`${base}?utm_source=blog`, 'token=forged; podcaster=1; podcaster=2'),
    await get(`${base}?theme=dark`),
  ];
  const uncached = [await get(`${base}?theme=pink`), await get(`${base}?page=2`)];

  expect(etagOf(visitor)).toBeTruthy();
  expect([owner, other].map(etagOf)).toEqual([etagOf(visitor), etagOf(visitor)]);
  expect(etagOf(dark)).not.toBe(etagOf(visitor));
  for (const head of [visitor, owner, other, dark]) {
    expect(head).toMatch(/^cache-control: public, no-cache\r$/im);
    expect(head).toMatch(/^content-security-policy: .*frame-ancestors \*/im);
    expect(head).not.toMatch(/^(?:set-cookie|x-frame-options):/im);
  }
  expect(uncached.map(etagOf)).toEqual([undefined, undefined]);
});
