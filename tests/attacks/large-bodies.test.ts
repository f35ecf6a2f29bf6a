import { expect, test } from 'vitest';
import { BODY_LIMITS } from '~/server/limits/http';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { isDeep } from '../support/deep';

const { sendRaw } = await attackedServer();

type Sent = { path: string; type?: string; text: string; declares?: boolean; bytes: number };

/** A POST whose body repeats the text up to a number of bytes. */
function post({ path, type = 'application/x-www-form-urlencoded', text, declares = true, bytes }: Sent) {
  const body = Buffer.alloc(bytes, text);
  const length = declares ? `Content-Length: ${body.length}` : 'Transfer-Encoding: chunked';
  const head = `POST ${path} HTTP/1.1\r\nHost: ${APP_HOST}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`;
  const framed = declares ? [body] : [`${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n'];
  return sendRaw(head, ...framed);
}

const DOORS = [
  { path: '/login', text: 'a=1&', limit: BODY_LIMITS.page },
  { path: '/register.data', text: 'a=1&', limit: BODY_LIMITS.page },
  { path: '/trpc/accounts.logIn', type: 'application/json', text: ' ', limit: BODY_LIMITS.call },
  { path: '/api/auth/login/', text: 'a=1&', limit: BODY_LIMITS.call },
  { path: '/nothing-here', text: 'a=1&', limit: BODY_LIMITS.page },
];

test.each(DOORS)('POST $path refuses a body above its limit with 413', async ({ limit, ...sent }) => {
  const answers = [
    await post({ ...sent, bytes: limit + 1 }),
    await post({ ...sent, bytes: limit + 1, declares: false }),
    await post({ ...sent, bytes: limit }),
  ];

  expect(answers.map(({ status }) => status === 413)).toEqual([true, true, false]);
  for (const { status } of answers) expect(status).toBeLessThan(500);
});

test('a body of many megabytes does not block other requests', async () => {
  const bytes = (isDeep ? 60 : 20) * 1024 * 1024;
  const large = post({ path: '/login', text: 'a=1&', bytes, declares: false });
  const began = performance.now();

  const health = await sendRaw(`GET /healthz HTTP/1.1\r\nHost: ${APP_HOST}\r\n\r\n`);

  expect(health.status).toBe(200);
  expect(performance.now() - began).toBeLessThan(1500);
  // the server may close while the client is still sending
  expect([413, 0]).toContain((await large).status);
});
