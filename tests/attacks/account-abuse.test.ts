import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import { hashPassword } from '~/server/auth/passwords';
import { logIn } from '~/server/domain/accounts/logging-in';
import { requestPasswordReset } from '~/server/domain/accounts/passwords';
import { EMAIL_LINK_LIMITS } from '~/server/limits/accounts';
import '../support/matchers';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { isDeep } from '../support/deep';
import { PASSWORD } from '../support/make';

const { runtime, make, as, visitor, visitorCtx, lucia, sendRaw } = await attackedServer();

type Sent = { headers?: string[]; body?: string };
const FORM = 'Content-Type: application/x-www-form-urlencoded';
const locationIn = (head: string) => /^location: (.*)\r$/im.exec(head)?.[1] ?? null;

function send(method: string, path: string, { headers = [], body = '' }: Sent = {}) {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${APP_HOST}`, ...headers, `Content-Length: ${body.length}`];
  return sendRaw(`${lines.join('\r\n')}\r\n\r\n`, body);
}

/** What browsers, or a client that decodes once more, read as another site. */
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
    send('GET', `/logout?next=${value}&redirectTo=${value}`, own),
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
  const page = (token: string) => send('GET', '/dashboard', { headers: [`Cookie: token=${token}`] });
  const rest = (token: string) => send('GET', '/api/auth/user/', { headers: [`Authorization: Token ${token}`] });
  expect([(await page(web.token)).status, (await rest(app.token)).status]).toEqual([200, 200]);

  const origin = `Origin: http://${APP_HOST}`;
  const left = await send('POST', '/logout', { headers: [FORM, origin, `Cookie: token=${web.token}`] });
  await send('POST', '/api/auth/logout/', { headers: [`Authorization: Token ${app.token}`] });

  expect(left.head).toMatch(/^clear-site-data: "storage"\r$/im);
  for (const { token } of [web, app]) {
    expect(locationIn((await page(token)).head)).toBe('/login?next=%2Fdashboard');
    expect((await rest(token)).status).toBe(401);
    expect((await send('GET', '/trpc/accounts.me', { headers: [`Cookie: token=${token}`] })).status).toBe(401);
  }
});

test('an address gets three emails a day, however often somebody signs up with it and asks for the link', async () => {
  const email = 'bombed@mail.example';
  const person = { name: 'Eve', email, password: PASSWORD, country: 'ES', terms: true };
  const { token } = await visitor.accounts.signUp(person);
  const eve = await as({ token });

  for (let i = 0; i < 5; i += 1) {
    await eve.accounts.resendVerification();
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

const ATTEMPTS = isDeep ? 200 : 20;
const TOLERANCE = isDeep ? 0.05 : 0.5;
const ROUNDS_MS = isDeep ? 60_000 : 10_000;

/**
 * Waiting times of a busy machine vary, so a small sample compares the processor time of the cheapest attempts, and proves
 * only that no step is missing. The full proof measures what an attacker does.
 */
function stopwatch(): () => number {
  if (isDeep) {
    const began = performance.now();
    return () => performance.now() - began;
  }
  const began = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
}

/** The typical times of both, measured in turn. */
async function timesOf(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < ATTEMPTS * 2; i += 1) {
    const elapsed = stopwatch();
    await (i % 2 ? other : one)().catch(() => {});
    times[i % 2 ? 1 : 0].push(elapsed());
  }
  const typical = (all: number[]) => all.sort((a, b) => a - b)[isDeep ? Math.floor(all.length / 2) : 0]!;
  return [typical(times[0]), typical(times[1])];
}

test('neither a log-in nor a reset takes more work for an address that has an account', async () => {
  const { id, email } = await make.person();
  // other tests use hashes that cost nothing
  const passwordHash = await hashPassword(PASSWORD, { network: '', isKnownDevice: false });
  await runtime.db.update(users).set({ passwordHash }).where(eq(users.id, id));
  const ctx = visitorCtx();
  const unknown = 'nobody@mail.example';
  const guess = (address: string) => () => logIn(ctx, { email: address, password: 'wrong password' });
  const reset = (address: string) => () => requestPasswordReset(ctx, { email: address });

  for (const attempt of [guess, reset]) {
    // the first of each loads what the others find in memory
    for (const address of [email, unknown]) await attempt(address)().catch(() => {});
    // a real difference is there each time, that of a busy machine is not
    await expect
      .poll(
        async () => {
          const [known, other] = await timesOf(attempt(email), attempt(unknown));
          return Math.abs(known / other - 1);
        },
        { timeout: ROUNDS_MS },
      )
      .toBeLessThan(TOLERANCE);
  }
});
