import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { DAYS, earlier, HOURS, later, MINUTES, SECONDS } from '~/server/base/time';
import {
  escapeFor,
  faultOfUrl,
  isDelivered,
  milestoneOf,
  newSecret,
  nextDelivery,
  reasonToDisable,
  shortenFor,
  signedHeaders,
} from '~/server/domain/webhooks/rules';

const now = new Date('2026-03-02T09:00:00Z');

test.each([
  [1, SECONDS(5)],
  [2, MINUTES(5)],
  [3, MINUTES(30)],
  [4, HOURS(2)],
  [5, HOURS(5)],
  [6, HOURS(10)],
  [7, HOURS(14)],
  [8, HOURS(20)],
  [9, HOURS(24)],
])('after %i failed attempts, the next one comes %i ms later', (attempts, delay) => {
  expect(nextDelivery(attempts, now)).toEqual(later(now, delay));
});

test('the tenth failed attempt was the last one', () => {
  expect(nextDelivery(10, now)).toBeNull();
});

test.each([
  [200, true],
  [204, true],
  [299, true],
  [199, false],
  [301, false],
  [410, false],
  [500, false],
  [null, false],
])('the status %s is a success: %s', (status, isSuccess) => {
  expect(isDelivered(status)).toBe(isSuccess);
});

test.each([
  [{ status: 410, failingSince: now }, 'gone'],
  [{ status: 410, failingSince: earlier(now, DAYS(9)) }, 'gone'],
  [{ status: 500, failingSince: earlier(now, DAYS(5)) }, 'failing'],
  [{ status: null, failingSince: earlier(now, DAYS(6)) }, 'failing'],
  [{ status: 500, failingSince: earlier(now, DAYS(5) - 1) }, null],
  [{ status: 500, failingSince: null }, null],
] as const)('%o switches an endpoint off as %s', (attempt, reason) => {
  expect(reasonToDisable(attempt, now)).toBe(reason);
});

test('a secret has 256 bits, and the signature is the one that the library of the specification computes', () => {
  const secret = newSecret();
  const at = new Date(Date.now() - (Date.now() % SECONDS(1)));
  const message = { id: 'msg_1', at, body: '{"type":"show.created"}' };

  const headers = signedHeaders(message, [secret, newSecret()]);

  expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
  expect(headers['webhook-signature']!.split(' ')[0]).toBe(new Webhook(secret).sign(message.id, at, message.body));
  expect(new Webhook(secret).verify(message.body, headers)).toEqual({ type: 'show.created' });
});

test.each([
  ['https://example.com/hook', 'webhook', null],
  ['http://example.com/hook', 'webhook', 'unsafe'],
  ['http://127.0.0.1:4000/hook', 'webhook', null],
  ['http://127.0.0.1.example.com/hook', 'webhook', 'unsafe'],
  ['http://localhost.example.com/', 'webhook', 'unsafe'],
  ['https://hooks.slack.com/services/T0/B0/secret', 'slack', null],
  ['https://hooks.slack.com.example.com/services/T0/B0/secret', 'slack', 'not_of_service'],
  ['https://discord.com/api/webhooks/12/secret', 'discord', null],
  ['https://canary.discord.com/api/v10/webhooks/12/secret', 'discord', null],
  ['https://example.com/discord.com/api/webhooks/12/secret', 'discord', 'not_of_service'],
  ['https://hooks.slack.com/services/T0/B0/secret', 'discord', 'not_of_service'],
  ['https://hooks.slack.com/services/T0/B0/secret', 'webhook', 'of_chat'],
  ['https://hooks.slack.com/triggers/T0/1/secret', 'webhook', null],
  ['https://discord.com/api/webhooks/12/secret', 'webhook', 'of_chat'],
] as const)('%s as %s: %s', (url, kind, fault) => {
  expect(faultOfUrl(url, kind)).toBe(fault);
});

test.each([
  [0, 0],
  [99, 0],
  [100, 100],
  [999, 100],
  [1000, 1000],
  [123_456, 100_000],
])('%i downloads have reached the milestone %i', (downloads, milestone) => {
  expect(milestoneOf(downloads)).toBe(milestone);
});

test('texts of others are no markup and mention nobody', () => {
  expect(escapeFor('slack', '<!channel> & <https://x.example|here>')).toBe(
    '&lt;!channel&gt; &amp; &lt;https://x.example|here&gt;',
  );
  expect(escapeFor('discord', '@everyone **[x](https://x.example)** `')).toBe(
    '\\@everyone \\*\\*\\[x\\]\\(https\\://x.example\\)\\*\\* \\`',
  );
});

test('a long text is cut before its address, and not within an escaped character', () => {
  const cut = shortenFor('discord', 'a\\*'.repeat(1000), '\nhttps://x.example/');

  expect(cut.length).toBeLessThanOrEqual(2000);
  expect(cut).toMatch(/[a*]…\nhttps:\/\/x\.example\/$/);
  expect(shortenFor('slack', 'short', '\nend')).toBe('short\nend');
});
