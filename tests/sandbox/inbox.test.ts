import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { smtpMail } from '~/server/adapters/mail/smtp';
import { startSmtpCatcher } from '~/server/sandbox/inbox/catcher';
import { openMessages } from '~/server/sandbox/inbox/messages';
import { inboxPages } from '~/server/sandbox/inbox/pages';
import { createLog } from '~/server/watching/log';
import { testDatabase } from '../support/db';

const { client } = await testDatabase();
const log = createLog('silent');
const messages = await openMessages(client);
const catcher = await startSmtpCatcher(messages, log);
const pages = inboxPages(messages);
const mail = smtpMail({ url: catcher.url, from: 'Altavoz <no-reply@altavoz.example>' });

afterAll(async () => {
  await mail.close();
  await catcher.close();
});

const newEmail = (to: string, extra: object = {}) => ({
  id: randomUUID(),
  to,
  subject: 'Confirma tu dirección ✓',
  html: '<p>Hola <a href="http://altavoz.localhost:3000/verify-email?token=a&amp;n=1">Lucía</a></p><script>alert(1)</script>',
  text: 'Hola Lucía: http://altavoz.localhost:3000/verify-email?token=a&n=1',
  ...extra,
});

async function receivedBy(to: string) {
  const response = await pages.request(`/_dev/inbox.json?to=${encodeURIComponent(to)}`);
  return ((await response.json()) as { messages: { id: string; subject: string; [key: string]: unknown }[] }).messages;
}

test('an email sent by the adapter arrives over SMTP unchanged', async () => {
  const sent = newEmail('Ana.B@example.com', { headers: { 'List-Unsubscribe': '<https://altavoz.example/u>' } });

  await mail.send(sent);

  const [found] = await receivedBy('ana.b@example.com');
  expect(found).toMatchObject({
    from: 'Altavoz <no-reply@altavoz.example>',
    to: ['ana.b@example.com'],
    subject: sent.subject,
    links: ['http://altavoz.localhost:3000/verify-email?token=a&n=1'],
  });
  expect(found?.text).toContain('Hola Lucía');
  const headers = Object.fromEntries(
    (found!.headers as { key: string; value: string }[]).map(({ key, value }) => [key, value]),
  );
  expect(headers).toMatchObject({
    'message-id': `<${sent.id}@altavoz.example>`,
    'auto-submitted': 'auto-generated',
    'list-unsubscribe': '<https://altavoz.example/u>',
  });
});

test('a resent email keeps its Message-ID', async () => {
  const sent = newEmail('again@example.com');

  await mail.send(sent);
  await mail.send(sent);

  const ids = (await receivedBy('again@example.com')).map(
    ({ headers }) => (headers as { key: string; value: string }[]).find(({ key }) => key === 'message-id')?.value,
  );
  expect(new Set(ids).size).toBe(1);
  expect(ids).toHaveLength(2);
});

test('another process finds earlier messages', async () => {
  await mail.send(newEmail('kept@example.com'));

  const response = await inboxPages(await openMessages(client)).request('/_dev/inbox?to=kept@example.com');

  expect(await response.text()).toContain('Confirma tu dirección ✓');
});

test('a message page does not run the message’s scripts', async () => {
  await mail.send(newEmail('page@example.com', { subject: '<img src=x onerror=alert(1)>' }));
  const [found] = await receivedBy('page@example.com');

  const response = await pages.request(`/_dev/inbox/${found?.id}`);
  const page = await response.text();

  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
  expect(page).not.toContain('<script>');
  expect(page).not.toContain('<img src=x');
  expect(page).toContain('<a href="http://altavoz.localhost:3000/verify-email?token=a&amp;n=1">');
});

test('an unknown message is a 404', async () => {
  const response = await pages.request('/_dev/inbox/nothing');

  expect(response.status).toBe(404);
});

test('only the newest 500 messages are kept', async () => {
  await client`insert into sandbox.messages ("from", "to", subject, html, text, headers)
    select 'a@example.com', array['old@example.com'], 'old', '', '', '[]' from generate_series(1, 510)`;

  await mail.send(newEmail('newest@example.com'));

  const [counted] = await client<{ total: number }[]>`select count(*)::int as total from sandbox.messages`;
  expect(counted?.total).toBe(500);
  expect(await receivedBy('newest@example.com')).toHaveLength(1);
});

test('an unreachable mail server is an error, so that the job is retried', async () => {
  const unreachable = smtpMail({ url: 'smtp://127.0.0.1:9', from: 'a@altavoz.example' });

  const attempt = unreachable.send(newEmail('x@example.com'));

  await expect(attempt).rejects.toThrow();
  unreachable.close();
});
