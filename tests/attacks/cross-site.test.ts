import type { ServerBuild } from '@remix-run/node';
import { expect, test } from 'vitest';
import { requestUpload } from '~/server/domain/media/uploads';
import { TABLE } from '~/server/rest/table';
import { appRouter } from '~/server/trpc/router';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { isDeep } from '../support/deep';
import { pagesBuild } from '../support/pages-build';

const { runtime, lucia, ctxOf, sendRaw } = await attackedServer();

/** Headers that a browser adds to requests from other sites' pages. */
const ATTACKERS = [
  'Origin: https://evil.example',
  'Origin: null',
  `Origin: https://${APP_HOST}`,
  'Origin: http://altavoz.localhost:9',
  `Origin: http://staging-${lucia.domain}.altavoz.localhost:3000`,
  `Origin: http://${APP_HOST}.evil.example`,
  `Origin: http://evil.example/${APP_HOST}`,
  'Sec-Fetch-Site: cross-site',
  'Sec-Fetch-Site: same-site',
];
/** Each call returns the next attacker. All doors use the same check, so each attacker is tried often. */
let turn = 0;
function attackers(): string[] {
  turn += 1;
  return isDeep ? ATTACKERS : [ATTACKERS[turn % ATTACKERS.length]!];
}
const OWN = `Origin: http://${APP_HOST}`;
const COOKIE = `Cookie: token=${lucia.token}`;
const FORM = 'Content-Type: application/x-www-form-urlencoded';
const JSON_TYPE = 'Content-Type: application/json';

async function send(method: string, path: string, headers: string[], body = ''): Promise<number> {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return (
    await sendRaw(
      [`${method} ${path} HTTP/1.1`, `Host: ${APP_HOST}`, ...headers, length].join('\r\n'),
      '\r\n\r\n',
      body,
    )
  ).status;
}

/** The path of every page that has an action, with ids in place of its parameters. */
function actionPaths({ routes }: ServerBuild): string[] {
  const pathOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id];
    return route ? `${pathOf(route.parentId)}/${route.path ?? ''}` : '';
  };
  const paths = Object.values(routes)
    .filter(({ module }) => module.action)
    .map(({ id }) =>
      pathOf(id)
        .replace(/\/:\w+\?/g, '')
        .replace(/:\w+/g, '1')
        .replace(/\/+/g, '/')
        .replace('*', 'x'),
    );
  return [...new Set(paths)];
}

const isLoggedIn = async () => (await runtime.sessions.read(lucia.token)) !== null;
const pages = actionPaths(pagesBuild());

test('the pages with actions are found', () => {
  expect(pages).toEqual(expect.arrayContaining(['/login', '/register', '/logout', '/products/create']));
});

test.each(pages)('no other site can send the form of %s, as a page or as data', async (page) => {
  for (const attacker of attackers()) {
    expect([attacker, await send('POST', page, [COOKIE, FORM, attacker], 'a=1')]).toEqual([attacker, 403]);
    expect([attacker, await send('POST', `${page}.data`, [COOKIE, FORM, attacker], 'a=1')]).toEqual([attacker, 403]);
  }
  expect(await isLoggedIn()).toBe(true);
});

const mutations = Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>)
  .filter(([, { _def }]) => _def.type === 'mutation')
  .map(([name]) => name);

test.each(mutations)('no other site can call %s', async (name) => {
  for (const attacker of attackers()) {
    for (const type of [JSON_TYPE, 'Content-Type: text/plain', FORM]) {
      expect([attacker, await send('POST', `/trpc/${name}`, [COOKIE, type, attacker], '{"json":{}}')]).toEqual([
        attacker,
        403,
      ]);
    }
  }
  // a GET, as links and pictures on any site send it
  expect(await send('GET', `/trpc/${name}?input=%7B%7D`, [COOKIE])).toBe(405);
  expect(await isLoggedIn()).toBe(true);
});

test.each(TABLE.filter(({ access }) => access === 'auth' || access === 'owner'))(
  'a cookie opens nothing at $method /api/$path',
  async ({ method, path }) => {
    const url = `/api/${path.replace(/:\w+/g, '1')}`;
    for (const origin of [...attackers(), OWN]) {
      expect([origin, await send(method, url, [COOKIE, FORM, origin])]).toEqual([origin, 401]);
    }
  },
);

test('no other site can begin, continue, inspect or end an upload', async () => {
  const file = { fileName: 'a.mp3', contentType: 'audio/mpeg', fileSize: 10, purpose: 'episode_audio' } as const;
  const { key } = await requestUpload(ctxOf(lucia), file);
  const tus = [COOKIE, 'Tus-Resumable: 1.0.0'];
  const begin = [...tus, 'Upload-Length: 10', `Upload-Metadata: key ${btoa(key)}`];
  const more = [...tus, 'Upload-Offset: 0', 'Content-Type: application/offset+octet-stream'];

  for (const attacker of ATTACKERS) expect(await send('POST', '/uploads/tus', [...begin, attacker])).toBe(403);
  expect(await send('POST', '/uploads/tus', [...begin, OWN])).toBe(201);
  for (const attacker of ATTACKERS) {
    expect(await send('PATCH', `/uploads/tus/${key}`, [...more, attacker], '0123456789')).toBe(403);
    expect(await send('DELETE', `/uploads/tus/${key}`, [...tus, attacker])).toBe(403);
  }
  expect(await send('PATCH', `/uploads/tus/${key}`, [...more, OWN], '0123456789')).toBe(204);
});

test('our own pages are not refused', async () => {
  expect(await send('POST', '/trpc/accounts.update', [COOKIE, JSON_TYPE, OWN], '{"json":{"country":"ES"}}')).toBe(200);
  expect(await send('POST', '/login', [FORM, OWN], 'email=a&password=b')).toBe(400);
});

test('a header of proxies that a client sends itself neither breaks a form nor opens it to another site', async () => {
  const forwarded = 'X-Forwarded-Host: evil.example';

  expect(await send('POST', '/login', [FORM, OWN, forwarded], 'email=a&password=b')).toBe(400);
  expect(await send('POST', '/login.data', [FORM, OWN, forwarded], 'email=a&password=b')).toBeLessThan(500);
  expect(await send('POST', '/login', [FORM, 'Origin: http://evil.example', forwarded], 'a=1')).toBe(403);
});
