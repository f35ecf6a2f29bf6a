import { expect, test } from 'vitest';
import { BODY_LIMITS } from '~/server/limits/http';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const { sendRaw } = await attackedServer();

type SentBody = { path: string; type?: string; text: string; declares?: boolean; ends?: boolean; bytes: number };

/** A POST whose body repeats the text up to a number of bytes. Without `ends`, the request looks unfinished. */
function post({
  path,
  type = 'application/x-www-form-urlencoded',
  text,
  declares = true,
  ends = true,
  bytes,
}: SentBody) {
  const body = Buffer.alloc(bytes, text);
  const length = declares ? `Content-Length: ${body.length}` : 'Transfer-Encoding: chunked';
  const head = `POST ${path} HTTP/1.1\r\nHost: ${APP_HOST}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`;
  const framed = declares ? [body] : [`${body.length.toString(16)}\r\n`, body, ends ? '\r\n0\r\n\r\n' : '\r\n'];
  return sendRaw(head, ...framed);
}

const DOORS = [
  { path: '/login', text: 'a=1+', limit: BODY_LIMITS.page },
  { path: '/register.data', text: 'a=1+', limit: BODY_LIMITS.page },
  { path: '/trpc/accounts.logIn', type: 'application/json', text: ' ', limit: BODY_LIMITS.call },
  { path: '/api/auth/login/', text: 'a=1+', limit: BODY_LIMITS.call },
  { path: '/nothing-here', text: 'a=1+', limit: BODY_LIMITS.page },
];

test.each(DOORS)(
  'POST $path refuses a body above its limit with 413, also before its end',
  async ({ limit, ...sent }) => {
    const answers = [
      await post({ ...sent, bytes: limit + 1 }),
      await post({ ...sent, bytes: limit + 1, declares: false }),
      await post({ ...sent, bytes: limit + 1, declares: false, ends: false }),
      await post({ ...sent, bytes: limit }),
    ];

    expect(answers.map(({ status }) => status === 413)).toEqual([true, true, true, false]);
    for (const { status } of answers) expect(status).toBeLessThan(500);
  },
);

test('a body of many megabytes that never ends is refused, and blocks no other request', async () => {
  const unfinished = { path: '/login', text: 'a=1+', declares: false, ends: false };
  const waiting = post({ ...unfinished, bytes: 1000 });
  const large = post({ ...unfinished, bytes: 20 * 1024 * 1024 });

  const health = await sendRaw(`GET /healthz HTTP/1.1\r\nHost: ${APP_HOST}\r\n\r\n`);

  expect(health.status).toBe(200);
  expect(await Promise.race([waiting, 'unanswered'])).toBe('unanswered');
  // the server may close while the client is still sending
  expect([413, 0]).toContain((await large).status);
});
