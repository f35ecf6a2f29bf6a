import { expect, test } from 'vitest';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const { lucia, podcast, sendRaw } = await attackedServer();
const CREATOR_HOST = `staging-${lucia.domain}.altavoz.localhost:3000`;

test.each([
  [APP_HOST, '/'],
  [CREATOR_HOST, '/'],
  [CREATOR_HOST, `/p/${podcast.slug}`],
])(
  'the page at %s%s is shared, because each of its inline scripts and styles carried the nonce',
  async (host, path) => {
    const { status, head } = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);

    expect([status, /^cache-control: (.*)$/im.exec(head)?.[1]?.trim()]).toEqual([200, 'public, no-cache']);
    expect(head).toMatch(/content-security-policy: .*'sha256-/i);
    expect(head).not.toContain("'nonce-");
  },
);

test('a visitor who was recommended gets a cookie with the shared page of the app, and nobody else does', async () => {
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
