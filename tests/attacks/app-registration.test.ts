import { beforeEach, expect, test } from 'vitest';
import { oauthClients } from '~/db/schema/apps';
import { later, SECONDS } from '~/server/base/time';
import { sweepApps } from '~/server/domain/apps/sweep-apps';
import { APP_LIMITS } from '~/server/limits/apps';
import { RATE_LIMITS } from '~/server/limits/http';
import { systemCtx } from '~/server/runtime/runtime';
import { appConnections, CALLBACK } from '../support/app-connections';
import { appFetch } from '../support/app-fetch';
import { attackedServer } from '../support/attacked-server';
import { pkce } from '../support/pkce';

const { runtime, lucia, port, faults, clock } = await attackedServer();
const { db } = runtime;
const START = clock.now;
const { post, register, requestOf, consent, exchange, refresh, connect } = appConnections(appFetch(port));

beforeEach(async () => {
  clock.now = START;
  await db.execute('delete from rate_limits');
});

test.each([
  ['an address of another scheme', { redirect_uris: ['javascript:/alert(1)'] }, 'invalid_redirect_uri'],
  ['an address without encryption', { redirect_uris: ['http://app.example/cb'] }, 'invalid_redirect_uri'],
  ['no address', { redirect_uris: [] }, 'invalid_redirect_uri'],
  ['no list', { redirect_uris: 'https://app.example/cb' }, 'invalid_redirect_uri'],
  [
    'too many',
    { redirect_uris: Array.from({ length: 11 }, (_, i) => `https://app.example/${i}`) },
    'invalid_redirect_uri',
  ],
  ['a long name', { client_name: 'x'.repeat(101), redirect_uris: [CALLBACK] }, 'invalid_client_metadata'],
  ['a name that is none', { client_name: { a: 1 }, redirect_uris: [CALLBACK] }, 'invalid_client_metadata'],
  [
    'a name of control characters',
    { client_name: '\u0000\u0007', redirect_uris: [CALLBACK] },
    'invalid_client_metadata',
  ],
])('an app with %s is not registered', async (_, metadata, error) => {
  expect(await post('/oauth/register', metadata, false)).toMatchObject({ status: 400, body: { error } });
});

test('a name is one line of text, and gives no markup to the consent page', async () => {
  const clientId = await register('<script>alert(1)</script>\n\u202e\u200bEvil');

  const { name } = await lucia.api.apps.request(requestOf(clientId, pkce().challenge));

  expect(name).toBe('<script>alert(1)</script> Evil');
});

test.each(['Altavoz', 'ALTAVOZ Team', 'Al-ta.voz', 'Ａltavoz', 'A\u200bltavoz'])(
  'an app that calls itself %j is named by its host',
  async (name) => {
    const clientId = await register(name);

    expect((await lucia.api.apps.request(requestOf(clientId, pkce().challenge))).name).toBe('127.0.0.1');
  },
);

test('one network registers few apps, and those that nobody uses are deleted after a day', async () => {
  const { points } = RATE_LIMITS.registerApp;
  const statuses: number[] = [];
  for (let i = 0; i <= points; i++)
    statuses.push((await post('/oauth/register', { redirect_uris: [CALLBACK] }, false)).status);
  await db.execute('delete from rate_limits');
  const { clientId } = await connect(lucia);

  clock.now = later(START, APP_LIMITS.unused + SECONDS(1));
  await sweepApps(systemCtx(runtime, 'apps.sweep'));

  expect([new Set(statuses.slice(0, points)), statuses[points]]).toEqual([new Set([201]), 429]);
  const left = await db.select().from(oauthClients).orderBy(oauthClients.id);
  expect(left.filter(({ usedAt }) => usedAt === null)).toEqual([]);
  expect(left.map((row) => row.clientId)).toContain(clientId);
});

test('failed requests for tokens are limited, and those of other people in the network go on', async () => {
  const clientId = await register();
  const honest = await consent(lucia, clientId);
  const statuses: number[] = [];
  for (let i = 0; i <= RATE_LIMITS.appTokens.points; i++)
    statuses.push((await post('/oauth/token', { grant_type: 'refresh_token', client_id: clientId })).status);

  const { status, body } = await exchange(clientId, honest);

  expect([statuses[0], statuses.at(-1), status]).toEqual([400, 429, 200]);
  expect((await refresh(clientId, body.refresh_token)).status).toBe(200);
});

test('a connection is listed with the address to which its person was sent', async () => {
  const clientId = await register('Notes', ['https://trusted.example/cb', CALLBACK]);
  await exchange(clientId, await consent(lucia, clientId));

  expect((await lucia.api.apps.connections())[0]).toMatchObject({ host: '127.0.0.1', isLocal: true });
});

const HOSTILE = [
  '',
  '{',
  '[]',
  'null',
  '0',
  '"x"',
  '{"redirect_uris":null}',
  '{"redirect_uris":[null]}',
  '{"redirect_uris":[{"toString":1}]}',
  '{"__proto__":{"redirect_uris":["https://a.example/"]}}',
  '{"redirect_uris":["https://a.example/\\u0000"]}',
  '{"redirect_uris":["https://a.example/\\ud800"],"client_name":"\\ud800"}',
  'grant_type=authorization_code',
  'grant_type=authorization_code&grant_type=refresh_token',
  'grant_type=constructor',
  'grant_type=client_credentials&client_id=x&client_secret=y',
  'grant_type=password&username=a&password=b',
  'grant_type=refresh_token&client_id=%00&refresh_token=%00',
  'grant_type=refresh_token&client_id=app_00000000000000000000000000000000&refresh_token=%00',
  `grant_type=authorization_code&client_id=app_${'0'.repeat(32)}&code=%ff&redirect_uri=%00&code_verifier=%00`,
  `token=${'x'.repeat(5000)}&client_id=app_${'0'.repeat(32)}`,
  'token[]=1&client_id[$ne]=1',
  '%',
  '&&&===',
  'x'.repeat(20_000),
];

test('hostile bodies get an answer that is no fault of ours', async () => {
  const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', ''];
  const statuses = new Set<number>();
  for (const path of ['/oauth/token', '/oauth/register', '/oauth/revoke'])
    for (const type of types)
      for (const body of HOSTILE) {
        const headers = { ...(type && { 'content-type': type }) };
        const response = await appFetch(port)(`http://altavoz.localhost:3000${path}`, {
          method: 'POST',
          headers,
          body,
        });
        statuses.add(response.status);
        await db.execute('delete from rate_limits');
      }

  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  expect(faults().filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
