import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { members } from '~/db/schema/team';
import { totpCode, totpStepAt } from '~/server/auth/totp';
import { later, MINUTES } from '~/server/base/time';
import { registerApp } from '~/server/domain/apps/register-app';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { PASSWORD } from '../support/make';
import { pagesApp } from '../support/pages-app';
import { pkce } from '../support/pkce';
import { fieldsOf } from '../support/plain-form';
import { protect } from '../support/second-factors';

const { runtime, env, clock, make, lucia, tom } = await cast();
const app = pagesApp(runtime, env.urls);
const { appUrl } = env.urls;
const { host, origin } = new URL(appUrl);

const WEB = 'https://notes.example/cb';
const headersOf = (person: { token: string } | null, from = origin) => ({
  ...{ host, origin: from },
  ...(person && { cookie: `token=${person.token}` }),
});
const open = (person: { token: string } | null, path: string) =>
  app.request(`${appUrl}${path}`, { headers: headersOf(person) });
const send = (person: { token: string }, path: string, fields: URLSearchParams, from = origin) =>
  app.request(`${appUrl}${path}`, { method: 'POST', headers: headersOf(person, from), body: fields });

async function requestPath(over: Record<string, string> = {}, name = 'Notes <b>'): Promise<string> {
  const { clientId } = await registerApp(systemCtx(runtime, 'test'), { client_name: name, redirect_uris: [WEB] });
  const query = {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: WEB, scope: 'shows:read episodes:write' },
    ...{ code_challenge: pkce().challenge, code_challenge_method: 'S256', state: 's&t' },
    ...over,
  };
  return `/oauth/authorize?${new URLSearchParams(query)}`;
}

test('a visitor logs in first, and the request is kept', async () => {
  const path = await requestPath();

  const answer = await open(null, path);

  const next = new URL(answer.headers.get('location')!, appUrl).searchParams.get('next');
  expect([answer.status, next]).toEqual([302, path]);
});

test('the page names the app, where it leads, and each scope in words; no site may show it in a frame', async () => {
  const answer = await open(lucia, await requestPath());
  const html = await answer.text();

  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-frame-options')).toBe('DENY');
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(answer.headers.get('cache-control')).toContain('no-store');
  expect(html).toContain('Connect Notes &lt;b&gt;?');
  expect(html).toContain('notes.example');
  expect(html).toContain('Read your shows');
  expect(html).toContain('Change episodes, their notes and chapters');
  expect(html).not.toContain('>Read sales and payouts<');
});

test.each([
  ['Notes', 'An app on this computer (it calls itself Notes) wants access'],
  ['Altavoz command line', 'An app on this computer wants access'],
])('an app on the own computer is called so: %s', async (client_name, sentence) => {
  const local = 'http://127.0.0.1/callback';
  const app = await registerApp(systemCtx(runtime, 'test'), { client_name, redirect_uris: [local] });
  const resource = `${appUrl}/v1`;
  const path = await requestPath({ client_id: app.clientId, redirect_uri: 'http://127.0.0.1:5000/callback', resource });
  const query = Object.fromEntries(new URL(path, appUrl).searchParams);
  const consent = { creatorId: lucia.creatorId, granted: ['episodes:write' as const], currentPassword: PASSWORD };

  const html = await (await open(lucia, path)).text();
  await lucia.api.apps.connect({ ...query, ...consent });
  const list = await (await open(lucia, '/profile/developers/apps')).text();

  for (const text of ['Connect an app on this computer?', sentence]) expect(html).toContain(text);
  expect(list).toContain(sentence.replace(' wants access', ''));
  for (const page of [html, list]) {
    expect(page).toContain('Create, change and publish episodes');
    expect(page).not.toContain('127.0.0.1 ');
  }
});

test('the form without JavaScript connects the app with what stays ticked, and leads there by a header', async () => {
  const path = await requestPath();
  const fields = fieldsOf(await (await open(lucia, path)).text(), 'value="connect"');
  expect(fields.get('scope.shows:read')).toBe('on');
  fields.delete('scope.episodes:write');
  fields.set('currentPassword', PASSWORD);
  fields.set('intent', 'connect');

  const answer = await send(lucia, path, fields);

  const refresh = answer.headers.get('refresh') ?? '';
  expect([answer.status, refresh]).toEqual([
    200,
    expect.stringMatching(/^0;url=https:\/\/notes\.example\/cb\?code=av_code_/),
  ]);
  const url = new URL(refresh.slice('0;url='.length));
  expect([url.searchParams.get('state'), url.searchParams.get('iss')]).toEqual(['s&t', appUrl]);
  expect(await answer.text()).toContain('Go to Notes &lt;b&gt;');
  const [connection] = await lucia.api.apps.connections();
  expect(connection).toMatchObject({ name: 'Notes <b>', host: 'notes.example', scopes: ['shows:read'], isOwn: true });
});

test('a person who cancels returns with a refusal; another site can’t send the form', async () => {
  const path = await requestPath();

  const declined = await send(lucia, path, new URLSearchParams({ intent: 'decline' }));
  const forged = await send(lucia, path, new URLSearchParams({ intent: 'connect' }), 'https://evil.example');

  expect(declined.headers.get('refresh')).toMatch(
    /^0;url=https:\/\/notes\.example\/cb\?error=access_denied&state=s%26t&iss=/,
  );
  expect(forged.status).toBe(403);
});

test('a session alone connects no app: the page asks for the password beside its field', async () => {
  const path = await requestPath({}, 'Stolen session');
  const fields = fieldsOf(await (await open(lucia, path)).text(), 'value="connect"');
  fields.set('intent', 'connect');
  fields.set('currentPassword', 'wrong');

  const answer = await send(lucia, path, fields);
  const html = await answer.text();

  expect([answer.status, answer.headers.get('refresh')]).toEqual([400, null]);
  expect(html).toMatch(/name="currentPassword"[^>]*aria-invalid="true"/);
  expect(html).not.toContain('value="wrong"');
  expect((await lucia.api.apps.connections()).map(({ name }) => name)).not.toContain('Stolen session');
});

test('an account with a second factor connects an app by a code, which counts for ten minutes', async () => {
  const person = await protect({ runtime, make });
  await runtime.db.insert(members).values({ creatorId: lucia.creatorId, userId: person.id, role: 'editor' });
  // the proof of the set-up counts for ten minutes, and each code once
  clock.now = later(clock.now, MINUTES(11));
  const path = await requestPath();
  const html = await (await open(person, path)).text();
  const fields = fieldsOf(html, 'value="connect"');
  fields.set('intent', 'connect');
  const refused = await send(person, path, fields);
  fields.set('code', totpCode(person.secret, totpStepAt(clock.now)));

  const answer = await send(person, path, fields);

  expect(html).not.toContain('currentPassword');
  expect([refused.status, refused.headers.get('refresh')]).toEqual([400, null]);
  expect(answer.headers.get('refresh')).toMatch(/code=av_code_/);
  expect(await (await open(person, path)).text()).not.toContain('name="code"');
});

test('the person gets an email about the app, which leads to the apps', async () => {
  const path = await requestPath({}, 'Told app');
  const query = Object.fromEntries(new URL(path, appUrl).searchParams);
  const consent = { creatorId: lucia.creatorId, granted: ['shows:read' as const], currentPassword: PASSWORD };

  await lucia.api.apps.connect({ ...query, ...consent });

  const sent = await runtime.db.select().from(outbox).where(eq(outbox.userId, lucia.id)).orderBy(outbox.createdAt);
  const told = sent.filter(({ topic }) => topic === 'app_connected').map(({ text }) => text);
  expect(told.at(-1)).toContain('Told app');
  expect(told.at(-1)).toContain('/profile/developers/apps');
});

test('without a ticked scope, the page says what is missing', async () => {
  const path = await requestPath();
  const fields = new URLSearchParams({ intent: 'connect', creatorId: String(lucia.creatorId) });

  const answer = await send(lucia, path, fields);

  expect(answer.headers.get('refresh')).toBeNull();
  expect(await answer.text()).toContain('Choose at least one thing');
});

test.each([
  ['an unknown app', { client_id: 'unknown' }, 404],
  ['another address', { redirect_uri: 'https://evil.example/cb' }, 400],
  ['no challenge', { code_challenge: '' }, 400],
  ['another resource', { resource: 'https://evil.example/mcp' }, 400],
])('a request of %s ends on our page', async (_, over, status) => {
  const answer = await open(lucia, await requestPath(over));
  const html = await answer.text();

  for (const text of ['The app asked in a wrong way', `<code>${Object.keys(over)[0]}</code>`])
    expect(html).toContain(text);
  expect(html).not.toContain('type="search"');
  expect([answer.status, answer.headers.get('location'), answer.headers.get('refresh')]).toEqual([status, null, null]);
});

test('a listener without a page is told how to get one', async () => {
  const html = await (await open(tom, await requestPath())).text();

  expect(html).toContain('Apps work with a creator page');
  expect(html).not.toContain('value="connect"');
});

test('the owner sees the apps of the whole team and disconnects them; a member sees their own', async () => {
  const [editor, analyst] = [await make.person(), await make.person()];
  for (const [{ id: userId }, role] of [
    [editor, 'editor'],
    [analyst, 'analyst'],
  ] as const)
    await runtime.db.insert(members).values({ creatorId: lucia.creatorId, userId, role });
  const path = await requestPath({}, 'Team app');
  const query = Object.fromEntries(new URL(path, appUrl).searchParams);
  const consent = { creatorId: lucia.creatorId, granted: ['shows:read' as const], currentPassword: PASSWORD };
  await editor.api.apps.connect({ ...query, ...consent });

  const owners = await (await open(lucia, '/profile/developers/apps')).text();
  const others = await (await open(analyst, '/es/profile/developers/apps')).text();
  const fields = fieldsOf(owners, 'Disconnect Team app');
  fields.set('intent', 'disconnect');
  const answer = await send(lucia, '/profile/developers/apps', fields);

  expect(owners).toContain('Team app');
  expect(others).not.toContain('Team app');
  expect(others).toContain('No hay ninguna app conectada');
  expect(answer.headers.get('location')).toBe('/profile/developers/apps?done=app_disconnected');
  expect((await lucia.api.apps.connections()).map(({ name }) => name)).not.toContain('Team app');
});
