import { expect, test } from 'vitest';
import { hashPassword } from '~/server/auth/passwords';
import { HASHING_LIMITS, LOGIN_LIMITS, RATE_LIMITS } from '~/server/limits/http';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { isDeep } from '../support/deep';
import { PASSWORD } from '../support/make';

const { make, sendRaw } = await attackedServer({ TRUST_PROXY: '1' });

/** Logs in from outside, through a proxy that forwards the client's address. */
function logIn({ email, from, password = 'wrong password', cookie = '' }: Attempt) {
  const body = JSON.stringify({ json: { email, password } });
  const head = [
    'POST /trpc/accounts.logIn HTTP/1.1',
    `Host: ${APP_HOST}`,
    `X-Forwarded-For: ${from}`,
    'Content-Type: application/json',
    `Cookie: ${cookie}`,
    `Content-Length: ${body.length}`,
  ];
  return sendRaw(`${head.join('\r\n')}\r\n\r\n`, body);
}
type Attempt = { email: string; from: string; password?: string; cookie?: string };

const network = (i: number) => `${11 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}.${1 + (i % 250)}`;
const deviceCookie = (head: string) => /^set-cookie: (device=[^;]+)/im.exec(head)![1]!;
const { points: free } = RATE_LIMITS.logInPair;

/** Sends guesses from many networks, 50 networks at a time. */
async function guess(email: string, networks: number, perNetwork: number): Promise<void> {
  for (let from = 0; from < networks; from += 50) {
    const some = Array.from({ length: Math.min(50, networks - from) * perNetwork }, (_, i) => from + (i % 50));
    await Promise.all(some.map((i) => logIn({ email, from: network(i) })));
  }
}

const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const began = performance.now();
  const result = await work();
  return [result, performance.now() - began];
};

/**
 * The limit for "at once" in milliseconds, measured on this machine under its current load. An attack delays a login by
 * seconds.
 */
async function atOnce(): Promise<number> {
  const { email } = await make.person();
  const [, withoutAttack] = await timed(() => logIn({ email, from: '203.0.113.77' }));
  return 1000 + 5 * withoutAttack;
}

test('wrong logins from many networks do not lock the owner out: the owner logs in at once from a new one', async () => {
  const { email } = await make.person();
  await guess(email, isDeep ? 250 : 22, free);

  const [{ status }, waited] = await timed(() => logIn({ email, from: '203.0.113.9', password: PASSWORD }));

  expect(status).toBe(200);
  expect(waited).toBeLessThan(await atOnce());
});

test('while an account is under attack, each network has one guess before it must take turns', async () => {
  const { email } = await make.person();
  await guess(email, RATE_LIMITS.logInAccount.points / free, free);

  const [first, waited] = await timed(() => logIn({ email, from: '198.51.100.1' }));
  const more = await Promise.all(Array.from({ length: 12 }, () => logIn({ email, from: '198.51.100.2' })));

  expect(first.status).toBe(400);
  expect(waited).toBeLessThan(await atOnce());
  expect(more.filter(({ status }) => status === 429).length).toBeGreaterThan(5);
});

test('one network guesses ever more slowly, also with other addresses of its own, and is never told the password', async () => {
  const { email } = await make.person();
  const attempts = Array.from({ length: LOGIN_LIMITS.slowFrom + 20 }, (_, i) =>
    logIn({ email, from: `192.0.2.${i}`, password: i % 2 ? 'wrong password' : 'another wrong one' }),
  );

  const answers = await Promise.all(attempts);

  const checked = answers.filter(({ status }) => status === 400);
  expect(checked.length).toBeLessThanOrEqual(free + 4);
  for (const { status, head } of answers.filter(({ status }) => status !== 400)) {
    expect([status, Number(/^retry-after: (\d+)/im.exec(head)?.[1])]).toEqual([429, expect.toSatisfy((s) => s <= 30)]);
  }
});

test('the right password gets through from the attacked network too, after its turn', async () => {
  const { email } = await make.person();
  for (let i = 0; i < free + 2; i += 1) await logIn({ email, from: '198.18.0.1' });

  const { status } = await logIn({ email, from: '198.18.0.2', password: PASSWORD });

  expect(status).toBe(200);
});

test('a device that has logged in before does not wait behind an attack from its own network', async () => {
  const { email } = await make.person();
  const cookie = deviceCookie((await logIn({ email, from: '198.19.0.1', password: PASSWORD })).head);
  await Promise.all(Array.from({ length: 40 }, () => logIn({ email, from: '198.19.0.2' })));

  const [{ status }, waited] = await timed(() => logIn({ email, from: '198.19.0.1', password: PASSWORD, cookie }));

  expect(status).toBe(200);
  expect(waited).toBeLessThan(await atOnce());
});

test('a known device cannot guess without end, and its cookie is worth nothing for another account', async () => {
  const [owner, other] = [await make.person(), await make.person()];
  const from = '198.19.7.1';
  const cookie = deviceCookie((await logIn({ email: owner.email, from, password: PASSWORD })).head);
  const guesses = (email: string) =>
    Promise.all(
      Array.from({ length: RATE_LIMITS.logInDevice.points + free + 20 }, () => logIn({ email, from, cookie })),
    );

  const [own, foreign] = await Promise.all([guesses(owner.email), guesses(other.email)]);

  const checked = (answers: { status: number }[]) => answers.filter(({ status }) => status === 400).length;
  expect(checked(own)).toBeLessThanOrEqual(RATE_LIMITS.logInDevice.points + free + 4);
  expect(checked(foreign)).toBeLessThanOrEqual(free + 4);
});

test('successful logins are not counted', async () => {
  const { email } = await make.person();

  for (let i = 0; i < LOGIN_LIMITS.slowFrom + 5; i += 1) {
    const { status } = await logIn({ email, from: '198.51.7.1', password: PASSWORD });
    expect(status).toBe(200);
  }

  expect((await logIn({ email, from: '198.51.7.1' })).status).toBe(400);
});

test('more logins than can be checked get 503, but neither the owner on a new network nor a known device', async () => {
  const [owner, other] = [await make.person(), await make.person()];
  const cookie = deviceCookie((await logIn({ email: other.email, from: '198.51.9.1', password: PASSWORD })).head);
  const [from, network] = ['198.51.20.1', '198.51.20.0/24'];
  // hashing is slower than the requests below; a flood of requests would arrive more slowly than the server checks it
  const places = HASHING_LIMITS.running + HASHING_LIMITS.waiting;
  const flood = Array.from({ length: places }, () => hashPassword('a guess', { network, isKnownDevice: false }));
  const flooded = Promise.allSettled(flood);

  const answers = await Promise.all([
    logIn({ email: 'nobody@mail.example', from }),
    logIn({ email: owner.email, from: '198.51.8.1', password: PASSWORD }),
    logIn({ email: other.email, from, password: PASSWORD, cookie }),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([503, 200, 200]);
  expect(answers[0].head).toMatch(/^retry-after: 10/im);
  expect(answers[0].body).toContain('Too many people are logging in or signing up right now.');
  await flooded;
});
