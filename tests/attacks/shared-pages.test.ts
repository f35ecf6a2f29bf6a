import { expect, test } from 'vitest';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const { lucia, tom, podcast, episodes, sendRaw } = await attackedServer();
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

test('a visitor from a campaign gets a cookie with the shared page of the app, and no other visitor does', async () => {
  const get = async (path: string, host = APP_HOST) =>
    (await sendRaw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).head;
  const cookiesIn = (head: string) => [...head.matchAll(/^set-cookie: (\w+=[^;]*)/gim)].map(([, cookie]) => cookie);

  const heads = [
    await get('/?utm_source=post'),
    await get('/?utm_source=mail'),
    await get('/'),
    await get(`/p/${podcast.slug}?utm_source=post`, CREATOR_HOST),
  ];

  expect(heads.map(cookiesIn)).toEqual([['campaign=utm_source%3Dpost'], ['campaign=utm_source%3Dmail'], [], []]);
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

test.each([
  [APP_HOST, '/'],
  [APP_HOST, '/discover'],
  [CREATOR_HOST, '/'],
  [CREATOR_HOST, `/p/${podcast.slug}`],
])('at %s%s, each visitor gets their own account menu or none, in any order', async (host, path) => {
  const get = async (cookie?: string) => {
    const own = cookie === undefined ? '' : `Cookie: ${cookie}\r\n`;
    const { status, head, body } = await sendRaw(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${own}Connection: close\r\n\r\n`,
    );
    const text = Buffer.from(body, 'latin1').toString();
    const menus = [...text.matchAll(/id="account-menu"[^>]*><p[^>]*><strong>([^<]*)/g)].map(([, name]) => name);
    return { status, menus, isShared: /^cache-control: public/im.test(head) };
  };
  const of = ({ token }: { token: string }) => get(`token=${token}`);

  const answers = [
    await of(lucia),
    await get(),
    await of(tom),
    await get(),
    await get('token=forged'),
    await of(lucia),
  ];

  const own = (name: string) => ({ status: 200, menus: [name], isShared: false });
  const shared = { status: 200, menus: [], isShared: true };
  const forged = { status: 200, menus: [], isShared: false };
  expect(answers).toEqual([own('Lucía'), shared, own('Tom'), shared, forged, own('Lucía')]);
});

test('on a creator’s page, a log-in leads back to this page, and a menu’s log-out to the app’s page with a button', async () => {
  const get = async (host: string, path: string, token?: string) =>
    (
      await sendRaw(
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${token ? `Cookie: token=${token}\r\n` : ''}Connection: close\r\n\r\n`,
      )
    ).body;
  const here = `http://${CREATOR_HOST}/p/${podcast.slug}`;

  const visited = await get(CREATOR_HOST, `/p/${podcast.slug}`);
  const own = await get(CREATOR_HOST, `/p/${podcast.slug}`, tom.token);
  const asked = await get(APP_HOST, '/logout', tom.token);
  const again = await get(APP_HOST, '/feed', tom.token);

  expect(visited).toContain(`href="http://${APP_HOST}/login?next=${encodeURIComponent(here)}"`);
  expect(own).toContain(`href="http://${APP_HOST}/logout"`);
  expect(own).not.toContain('action="/logout"');
  expect(asked).toContain('action="/logout"');
  expect(again).toContain('id="account-menu"');
});
