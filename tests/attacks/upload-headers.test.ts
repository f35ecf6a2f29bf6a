import { expect, test } from 'vitest';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const { tom, sendRaw } = await attackedServer();

test.each([
  ['POST', `/uploads/form/${'f'.repeat(32)}`],
  ['OPTIONS', `/uploads/form/${'f'.repeat(32)}`],
  ['GET', '/uploads/nothing'],
  ['OPTIONS', '/uploads/tus'],
])('no browser renders an answer to %s %s as a page', async (method, path) => {
  const { head } = await sendRaw(
    `${method} ${path} HTTP/1.1\r\nHost: ${APP_HOST}\r\nCookie: token=${tom.token}\r\n\r\n`,
  );

  expect(head).toMatch(/^x-content-type-options: nosniff/im);
  expect(head).toMatch(/^content-security-policy: default-src 'none'/im);
});
