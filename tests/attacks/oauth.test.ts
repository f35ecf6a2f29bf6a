import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { oauthClients, oauthCodes, oauthGrants, oauthTokens } from '~/db/schema/apps';
import { members } from '~/db/schema/team';
import { DAYS, HOURS, later, SECONDS } from '~/server/base/time';
import { eraseConnections } from '~/server/domain/apps/sweep-apps';
import { readBearer } from '~/server/doors/v1/api-access';
import { APP_LIMITS } from '~/server/limits/apps';
import { systemCtx } from '~/server/runtime/runtime';
import { appConnections, CALLBACK } from '../support/app-connections';
import { appFetch } from '../support/app-fetch';
import { attackedServer } from '../support/attacked-server';
import { pkce } from '../support/pkce';

const { runtime, make, lucia, ada, port, lines, clock, pauseAt } = await attackedServer();
const { db } = runtime;
const START = clock.now;
const { post, register, requestOf, consent, exchange, refresh, connect } = appConnections(appFetch(port));

beforeEach(async () => {
  clock.now = START;
  await db.execute('delete from rate_limits');
});

const accessOf = (token: string) =>
  readBearer(runtime, { headers: new Headers({ authorization: `Bearer ${token}` }), address: '' }, 'mcp').catch(
    () => null,
  );
const codeOf = (error: unknown) => (error as { message: string }).message;

test('an app that a person lets in gets a token with the chosen scopes and the person’s role', async () => {
  const clientId = await register('Notes app');
  const asked = { scope: 'shows:read episodes:write', granted: ['shows:read'] };
  const { code, verifier, url } = await consent(lucia, clientId, asked);
  const { status, body } = await exchange(clientId, { code, verifier });

  expect(url).toBe(`${CALLBACK}?code=${code}&state=the+state&iss=http%3A%2F%2Faltavoz.localhost%3A3000`);
  expect([status, body.scope, body.expires_in]).toEqual([200, 'shows:read', 3600]);
  expect(body.access_token).toMatch(/^av_app_/);
  expect(await accessOf(body.access_token)).toMatchObject({
    kind: 'app',
    ...{ userId: lucia.id, creatorId: lucia.creatorId, role: 'owner', scopes: ['shows:read'], audience: 'mcp' },
  });
});

test('only hashes of codes and tokens are stored, and none of them is logged', async () => {
  const clientId = await register();
  const { code, verifier } = await consent(lucia, clientId);
  const { body } = await exchange(clientId, { code, verifier });
  await refresh(clientId, body.refresh_token);
  const rows = [
    await db.select().from(oauthCodes).orderBy(oauthCodes.id),
    await db.select().from(oauthTokens).orderBy(oauthTokens.id),
  ];

  const everything = JSON.stringify(rows) + lines.join('\n');
  for (const secret of [code, verifier, body.access_token, body.refresh_token])
    expect(everything).not.toContain(secret);
});

test('a code works once: a replay gets nothing and ends the tokens of the first exchange', async () => {
  const clientId = await register();
  const given = await consent(lucia, clientId);
  const first = await exchange(clientId, given);
  const other = await exchange(clientId, await consent(lucia, clientId));

  const replay = await exchange(clientId, given);

  expect([first.status, replay.status, replay.body.error]).toEqual([200, 400, 'invalid_grant']);
  expect(await accessOf(first.body.access_token)).toBeNull();
  expect((await refresh(clientId, first.body.refresh_token)).body.error).toBe('invalid_grant');
  // another device of the same person keeps its own
  expect(await accessOf(other.body.access_token)).not.toBeNull();
});

test('of two exchanges of a code at the same time, one succeeds, and its tokens end', async () => {
  const clientId = await register();
  const given = await consent(lucia, clientId);
  const pause = pauseAt('app.code_read');
  const slow = exchange(clientId, given);
  await pause.reachedBy(slow);
  const fast = await exchange(clientId, given);
  pause.goOn();

  expect([fast.status, (await slow).body.error]).toEqual([200, 'invalid_grant']);
  expect(await accessOf(fast.body.access_token)).toBeNull();
});

test('a code expires after a minute, and belongs to its app and its address', async () => {
  const [clientId, otherId] = [await register(), await register('Other')];
  const given = await consent(lucia, clientId);

  expect((await exchange(otherId, given)).body.error).toBe('invalid_grant');
  expect((await exchange(clientId, given, { redirect_uri: `${CALLBACK}/` })).body.error).toBe('invalid_grant');
  expect((await exchange(clientId, given, { resource: 'http://altavoz.localhost:3000/v1' })).body.error).toBe(
    'invalid_target',
  );
  clock.now = later(START, APP_LIMITS.code + SECONDS(1));
  expect((await exchange(clientId, given)).body.error).toBe('invalid_grant');
});

test('without the verifier, a code is worth nothing', async () => {
  const clientId = await register();
  const given = await consent(lucia, clientId);

  expect((await exchange(clientId, { ...given, verifier: '' })).body.error).toBe('invalid_request');
  expect((await exchange(clientId, { ...given, verifier: pkce().verifier })).body.error).toBe('invalid_grant');
  expect((await exchange(clientId, given)).status).toBe(200);
});

test.each([
  ['no challenge', { code_challenge: undefined }],
  ['the plain method', { code_challenge_method: 'plain' }],
  ['no method', { code_challenge_method: undefined }],
  ['a short challenge', { code_challenge: 'abc' }],
])('a request with %s is refused before anyone is asked', async (_, over) => {
  const request = { ...requestOf(await register(), pkce().challenge), ...over };

  const refused = await lucia.api.apps.request(request).catch(codeOf);
  const unasked = await lucia.api.apps
    .connect({ ...request, creatorId: lucia.creatorId, granted: ['shows:read'] })
    .catch(codeOf);

  expect([refused, unasked]).toEqual(['app.challenge_required', 'app.challenge_required']);
});

test.each([
  'http://127.0.0.1:53211/callback/',
  'http://127.0.0.1:53211/callback?x=1',
  'http://127.0.0.1:53211/callback#x',
  'http://127.0.0.1:53211/other',
  'http://127.0.0.1.evil.example:53211/callback',
  'http://127.0.0.1:53211@evil.example/callback',
  'http://x@127.0.0.1:53211/callback',
  'http://localhost:53211/callback',
  'https://127.0.0.1:53211/callback',
  'https://app.example:8443/cb',
  'https://app.example/cb2',
  '//evil.example/callback',
  '',
])('nobody is sent to %s, which is not registered', async (uri) => {
  const clientId = await register('Web', [CALLBACK, 'https://app.example/cb']);
  const request = { ...requestOf(clientId, pkce().challenge), redirect_uri: uri };

  const problems = await Promise.all([
    lucia.api.apps.request(request).catch(codeOf),
    lucia.api.apps.decline(request).catch(codeOf),
    lucia.api.apps.connect({ ...request, creatorId: lucia.creatorId, granted: ['shows:read'] }).catch(codeOf),
  ]);

  expect(problems).toEqual(Array(3).fill('app.redirect_mismatch'));
});

test('an app on the person’s machine may take any port', async () => {
  const request = { ...requestOf(await register(), pkce().challenge), redirect_uri: CALLBACK.replace('53211', '1024') };

  expect(await lucia.api.apps.request(request)).toMatchObject({ host: '127.0.0.1', isLocal: true });
  expect((await lucia.api.apps.decline(request)).url).toBe(
    'http://127.0.0.1:1024/callback?error=access_denied&state=the+state&iss=http%3A%2F%2Faltavoz.localhost%3A3000',
  );
});

test('a person connects an app to pages of teams that they are in, and to no other', async () => {
  const clientId = await register();
  const stolen = consent({ ...ada, creatorId: lucia.creatorId }, clientId).catch(codeOf);

  expect(await stolen).toBe('creator.not_found');
});

test('a registration that is deleted while the person decides can’t be connected', async () => {
  const clientId = await register();
  const pause = pauseAt('app.consented');
  const given = consent(lucia, clientId).catch(codeOf);
  await pause.reachedBy(given);
  await db.delete(oauthClients).where(eq(oauthClients.clientId, clientId));
  pause.goOn();

  expect(await given).toBe('app.unknown');
});

test('a person can’t grant more than the app asks for', async () => {
  const clientId = await register();

  const code = await consent(lucia, clientId, { scope: 'shows:read', granted: ['money:read'] }).catch(codeOf);
  const { scope } = (
    await exchange(
      clientId,
      await consent(lucia, clientId, { scope: 'shows:read', granted: ['shows:read', 'money:read'] }),
    )
  ).body;

  expect([code, scope]).toEqual(['app.no_scopes', 'shows:read']);
});

test('a refreshed token never has more scopes, and a smaller consent narrows the tokens of a former one', async () => {
  const { clientId, refresh_token } = await connect(lucia, { scope: 'shows:read episodes:read' });

  const wider = await refresh(clientId, refresh_token, { scope: 'shows:read money:read' });
  const narrow = await refresh(clientId, refresh_token, { scope: 'shows:read' });
  const again = await refresh(clientId, narrow.body.refresh_token);

  expect([wider.body.error, narrow.body.scope, again.body.scope]).toEqual([
    'invalid_scope',
    'shows:read',
    'shows:read episodes:read',
  ]);
  await consent(lucia, clientId, { scope: 'episodes:read' });
  expect((await accessOf(again.body.access_token))?.scopes).toEqual(['episodes:read']);
});

test('a refresh token that comes again later ends all tokens of the consent', async () => {
  const { clientId, refresh_token } = await connect(lucia);
  const next = await refresh(clientId, refresh_token);

  clock.now = later(START, APP_LIMITS.grace);
  const stolen = await refresh(clientId, refresh_token);

  expect([next.status, stolen.status, stolen.body.error]).toEqual([200, 400, 'invalid_grant']);
  expect(await accessOf(next.body.access_token)).toBeNull();
  expect((await refresh(clientId, next.body.refresh_token)).body.error).toBe('invalid_grant');
});

test('a refresh token whose answer was lost gets the same tokens again, and no others', async () => {
  const { clientId, refresh_token } = await connect(lucia);
  const lost = await refresh(clientId, refresh_token);
  const foreign = await refresh(await register(), refresh_token);

  clock.now = later(START, APP_LIMITS.grace - SECONDS(1));
  const again = await refresh(clientId, refresh_token);

  expect(foreign.body.error).toBe('invalid_grant');
  expect(again.body).toEqual({ ...lost.body, expires_in: 3600 - 29 });
  expect(await accessOf(again.body.access_token)).not.toBeNull();
  expect((await refresh(clientId, again.body.refresh_token)).status).toBe(200);
});

test('a thief who comes within the grace shares the successor, so the next reuse ends both', async () => {
  const { clientId, refresh_token } = await connect(lucia);
  const [own, stolen] = [await refresh(clientId, refresh_token), await refresh(clientId, refresh_token)];

  clock.now = later(START, HOURS(1));
  const next = await refresh(clientId, own.body.refresh_token);
  clock.now = later(START, HOURS(2));
  const reused = await refresh(clientId, stolen.body.refresh_token);

  expect([next.status, reused.body.error]).toEqual([200, 'invalid_grant']);
  expect((await refresh(clientId, next.body.refresh_token)).body.error).toBe('invalid_grant');
});

test('twenty refreshes at the same time all get tokens that work', async () => {
  const { clientId, refresh_token } = await connect(lucia);

  const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(clientId, refresh_token)));

  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  for (const { body } of answers) expect(await accessOf(body.access_token)).not.toBeNull();
  expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
  expect((await refresh(clientId, answers[19]!.body.refresh_token)).status).toBe(200);
});

test('a refresh that another one overtakes gets the same tokens; after the grace, it ends them', async () => {
  const { clientId, refresh_token } = await connect(lucia);
  const pause = pauseAt('app.refresh_read');
  const slow = refresh(clientId, refresh_token);
  await pause.reachedBy(slow);
  const fast = await refresh(clientId, refresh_token);
  pause.goOn();
  expect((await slow).body).toEqual(fast.body);

  const other = await connect(lucia);
  const second = pauseAt('app.refresh_read');
  const late = refresh(other.clientId, other.refresh_token);
  await second.reachedBy(late);
  const before = await refresh(other.clientId, other.refresh_token);
  clock.now = later(START, APP_LIMITS.grace);
  second.goOn();
  expect([(await late).body.error, await accessOf(before.body.access_token)]).toEqual(['invalid_grant', null]);
});

test('tokens expire: access after an hour, refresh after 30 days', async () => {
  const { clientId, access_token, refresh_token } = await connect(lucia);

  clock.now = later(START, HOURS(1));
  expect(await accessOf(access_token)).toBeNull();
  clock.now = later(START, DAYS(30));
  expect((await refresh(clientId, refresh_token)).body.error).toBe('invalid_grant');
});

test('an access token is no refresh token, and the reverse', async () => {
  const { clientId, access_token, refresh_token } = await connect(lucia);

  expect((await refresh(clientId, access_token)).body.error).toBe('invalid_grant');
  expect(await accessOf(refresh_token)).toBeNull();
});

test('an app whose registration is gone learns that it needs a new one', async () => {
  const { refresh_token } = await connect(lucia);
  const gone = `app_${'0'.repeat(32)}`;

  const errors = [
    await exchange(gone, { code: 'unknown', verifier: pkce().verifier }),
    await refresh(gone, 'unknown'),
    await refresh('mine', refresh_token),
    await refresh(await register(), 'unknown'),
  ].map(({ body }) => body.error);

  expect(errors).toEqual(['invalid_client', 'invalid_client', 'invalid_client', 'invalid_grant']);
});

test('a token follows the role of its person, and ends with the membership', async () => {
  const person = await make.person();
  const member = { creatorId: lucia.creatorId, userId: person.id };
  await db.insert(members).values({ ...member, role: 'editor' });
  const { access_token } = await connect({ api: person.api, creatorId: lucia.creatorId });
  expect((await accessOf(access_token))?.role).toBe('editor');

  await lucia.api.team.changeRole({ userId: person.id, role: 'analyst' });
  expect((await accessOf(access_token))?.role).toBe('analyst');
  await lucia.api.team.removeMember({ userId: person.id });
  expect(await accessOf(access_token)).toBeNull();
});

test('a disconnected app has nothing left; others can’t disconnect it, and its app can', async () => {
  const { clientId, access_token, refresh_token } = await connect(lucia);
  const [newest] = await lucia.api.apps.connections();

  expect(await ada.api.apps.disconnect({ id: newest!.id }).catch(codeOf)).toBe('app.connection_not_found');
  await lucia.api.apps.disconnect({ id: newest!.id });
  expect(await accessOf(access_token)).toBeNull();
  expect((await refresh(clientId, refresh_token)).body.error).toBe('invalid_grant');
  expect((await lucia.api.apps.connections()).map(({ id }) => id)).not.toContain(newest!.id);

  const returned = await connect(lucia);
  const [connected] = await lucia.api.apps.connections();
  const foreign = await register();
  await post('/oauth/revoke', { client_id: foreign, token: returned.refresh_token });
  expect(await accessOf(returned.access_token)).not.toBeNull();
  const answer = await post('/oauth/revoke', { client_id: returned.clientId, token: returned.refresh_token });
  expect([answer.status, await accessOf(returned.access_token)]).toEqual([200, null]);
  expect((await lucia.api.apps.connections()).map(({ id }) => id)).not.toContain(connected!.id);
  expect((await post('/oauth/revoke', { client_id: foreign, token: 'unknown' })).status).toBe(200);
});

test('the doors are at the app’s address only, and describe each other', async () => {
  const read = (path: string, host = 'altavoz.localhost:3000') => appFetch(port)(`http://${host}${path}`);
  const server = await (await read('/.well-known/oauth-authorization-server')).json();
  const resource = await (await read('/.well-known/oauth-protected-resource/mcp')).json();

  expect(server).toMatchObject({ issuer: 'http://altavoz.localhost:3000', code_challenge_methods_supported: ['S256'] });
  expect(resource).toMatchObject({ resource: `${server.issuer}/mcp`, authorization_servers: [server.issuer] });
  const creator = `staging-${lucia.domain}.altavoz.localhost:3000`;
  expect((await read('/.well-known/oauth-authorization-server', creator)).status).toBe(404);
});

test('a deleted account takes its connections along', async () => {
  const person = await make.creator();
  const { access_token } = await connect(person);

  await eraseConnections(systemCtx(runtime, 'test'), { userId: person.id });

  expect(await accessOf(access_token)).toBeNull();
  expect((await db.select().from(oauthGrants).orderBy(oauthGrants.id)).map(({ userId }) => userId)).not.toContain(
    person.id,
  );
});
