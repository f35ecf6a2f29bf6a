import { createHook } from 'node:async_hooks';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createDb } from '~/db/client';
import { users } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import { hashPassword } from '~/server/auth/passwords';
import { logIn } from '~/server/domain/accounts/logins/log-in';
import { requestPasswordReset } from '~/server/domain/accounts/logins/passwords';
import { EMAIL_LINK_LIMITS } from '~/server/limits/accounts';
import type { Ctx } from '~/server/runtime/ctx';
import '../support/matchers';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { PASSWORD } from '../support/make';

const { runtime, url, make, as, visitor, visitorCtx, lucia, sendRaw } = await attackedServer();

type SentRequest = { headers?: string[]; body?: string };
const FORM = 'Content-Type: application/x-www-form-urlencoded';
const locationIn = (head: string) => /^location: (.*)\r$/im.exec(head)?.[1] ?? null;

function send(method: string, path: string, { headers = [], body = '' }: SentRequest = {}) {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${APP_HOST}`, ...headers, `Content-Length: ${body.length}`];
  return sendRaw(`${lines.join('\r\n')}\r\n\r\n`, body);
}

/** Addresses that browsers, or a client that decodes once more, read as another site. */
const EVIL = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https://evil.example',
  'http://altavoz.localhost:3000@evil.example/',
  'http://altavoz.localhost.evil.example/',
  'http://evil.example/altavoz.localhost:3000',
  '/\t/evil.example',
  '%2F%2Fevil.example',
  '/%5Cevil.example',
  '/%2F/evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  ' //evil.example',
  '/x\r\nLocation: https://evil.example',
];

/** The host that a browser on our page would open. */
const hostOf = (location: string) => new URL(location, `http://${APP_HOST}/login`).host;

test.each(EVIL)('no door redirects to %j', async (evil) => {
  const value = encodeURIComponent(evil);
  const own = { headers: [`Cookie: token=${lucia.token}`] };
  const { email } = await make.person();
  const form = (fields: string) => ({ headers: [FORM, `Origin: http://${APP_HOST}`], body: fields });

  const answers = await Promise.all([
    send('GET', `/login?next=${value}&redirectTo=${value}`, own),
    send('GET', `/es/register?next=${value}`, own),
    send('GET', `/logout?next=${value}&redirectTo=${value}`),
    send('GET', `/language?next=${value}`),
    send('POST', '/language', form(`language=es&next=${value}`)),
    send('POST', `/login?next=${value}`, form(`email=${email}&password=${encodeURIComponent(PASSWORD)}`)),
  ]);

  const locations = answers.map(({ head }) => locationIn(head));
  expect(locations).not.toContain(null);
  expect(locations.map((location) => hostOf(location!))).toEqual(locations.map(() => APP_HOST));
  for (const { head } of answers) expect(head.match(/^location:/gim)).toHaveLength(1);
});

test('a token works nowhere after the log-out, as a cookie or as a header', async () => {
  const [web, app] = [await make.person(), await make.person()];
  const page = (token: string) => send('GET', '/profile', { headers: [`Cookie: token=${token}`] });
  const rest = (token: string) => send('GET', '/api/auth/user/', { headers: [`Authorization: Token ${token}`] });
  expect([(await page(web.token)).status, (await rest(app.token)).status]).toEqual([200, 200]);

  const origin = `Origin: http://${APP_HOST}`;
  const left = await send('POST', '/logout', { headers: [FORM, origin, `Cookie: token=${web.token}`] });
  await send('POST', '/api/auth/logout/', { headers: [`Authorization: Token ${app.token}`] });

  expect(left.head).toMatch(/^clear-site-data: "storage"\r$/im);
  for (const { token } of [web, app]) {
    expect(locationIn((await page(token)).head)).toBe('/login?next=%2Fprofile');
    expect((await rest(token)).status).toBe(401);
    expect((await send('GET', '/trpc/accounts.me', { headers: [`Cookie: token=${token}`] })).status).toBe(401);
  }
});

test('an address gets three emails a day, however often visitors sign up with it and request the link', async () => {
  const email = 'bombed@mail.example';
  const person = { name: 'Eve', email, password: PASSWORD, country: 'ES', terms: true };
  const { token } = await visitor.accounts.signUp(person);
  const eve = await as({ token });

  for (let i = 0; i < 5; i += 1) {
    const asked = eve.accounts.resendVerification();
    // the first email is that of the sign-up
    if (i + 1 < EMAIL_LINK_LIMITS.perWindow) await asked;
    else await expect(asked).toFailWith('account.enough_verification_emails');
    await expect(visitor.accounts.signUp(person)).toFailWith('account.email_taken');
  }

  expect(await runtime.db.$count(outbox, eq(outbox.to, email))).toBe(EMAIL_LINK_LIMITS.perWindow);
});

test('asking for a new password says the same of a known, an unknown and an unverified address', async () => {
  const { email } = await make.person();
  const ask = (address: string) =>
    send('POST', '/login/forgot-password', {
      headers: [FORM, `Origin: http://${APP_HOST}`],
      body: `email=${encodeURIComponent(address)}`,
    });

  const [known, unknown] = await Promise.all([ask(email), ask('nobody-here@mail.example')]);

  const comparable = (text: string) => text.replace(/nonce="[^"]*"/g, '').replace(/enqueue\(.*\)/g, '');
  expect([known.status, comparable(known.body)]).toEqual([unknown.status, comparable(unknown.body)]);
});

/** The server's work for one attempt: its statements, and the number of passwords that it hashes. */
async function workOf(attempt: (ctx: Ctx) => Promise<unknown>) {
  const statements: string[] = [];
  let hashes = 0;
  const onStatement = (text: string) => {
    statements.push(text);
    return () => {};
  };
  const { db, close } = createDb(url, { onStatement });
  const tasks = createHook({
    init(_, type) {
      // only Argon2's tasks in the thread pool have no name
      if (type === 'undefined') hashes += 1;
    },
  }).enable();
  await attempt({ ...visitorCtx(), db }).catch(() => {});
  tasks.disable();
  await close();
  return { statements, hashes };
}

test('neither a log-in nor a reset does more for an address that has an account', async () => {
  const { id, email } = await make.person();
  // other tests use hashes with minimal cost
  const passwordHash = await hashPassword(PASSWORD, { network: '', isKnownDevice: false });
  await runtime.db.update(users).set({ passwordHash }).where(eq(users.id, id));
  const unknown = 'nobody@mail.example';
  const guess = (address: string) => workOf((ctx) => logIn(ctx, { email: address, password: 'wrong password' }));
  const reset = (address: string) => workOf((ctx) => requestPasswordReset(ctx, { email: address }));
  // creates the hash that replaces the hash of an unknown user
  await guess(unknown);

  const guesses = [await guess(email), await guess(unknown)];
  const resets = [await reset(email), await reset(unknown)];

  expect(guesses[1]).toEqual(guesses[0]);
  expect(resets[1]).toEqual(resets[0]);
  expect([...guesses, ...resets].map(({ hashes }) => hashes)).toEqual([1, 1, 0, 0]);
  expect([guesses[0]!.statements.length, resets[0]!.statements.length]).not.toContain(0);
});
