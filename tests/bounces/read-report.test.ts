import { expect, test } from 'vitest';
import { readMessage } from '~/server/bounces/read-message';

const NOW = new Date('2026-11-27T09:00:00Z');
const AT = new Date('2026-11-27T08:00:00Z');
const ORIGINAL = 'Message-ID: <e7-c1@altavoz.example>\nTo: Ana <ana@reader.example>\nSubject: a\n\nbody\n';
const RECIPIENT = 'Final-Recipient: rfc822; ana@reader.example\nAction: failed\nStatus: 5.1.1\n';

type Parts = { status?: string; feedback?: string; original?: string; originalType?: string; date?: string };
function report({ status, feedback, original = ORIGINAL, originalType = 'message/rfc822', date }: Parts): Buffer {
  const part = (type: string, text: string) => `--b\nContent-Type: ${type}\n\n${text}\n`;
  const text = `From: MAILER-DAEMON@mx.example
To: bounces@altavoz.example
Date: ${date ?? 'Fri, 27 Nov 2026 08:00:00 +0000'}
Subject: Undelivered
MIME-Version: 1.0
Content-Type: multipart/report; report-type=x; boundary="b"

${part('text/plain', 'Your email could not be delivered.')}${
  status === undefined ? '' : part('message/delivery-status', `Reporting-MTA: dns; mx.example\n\n${status}`)
}${feedback === undefined ? '' : part('message/feedback-report', feedback)}${part(originalType, original)}--b--
`;
  return Buffer.from(text.replaceAll('\n', '\r\n'));
}
async function readReport(message: Buffer, now: Date) {
  const received = await readMessage(message, { now, unzip: async () => null });
  return received.kind === 'events' ? received.events : [];
}
const read = (parts: Parts) => readReport(report(parts), NOW);
const bounce = (changes: object = {}) => ({
  kind: 'bounce',
  isHard: true,
  email: 'ana@reader.example',
  messageId: 'e7-c1@altavoz.example',
  at: AT,
  status: '5.1.1',
  ...changes,
});

test.each<[string, string, object[]]>([
  ['a missing address', RECIPIENT, [bounce()]],
  ['an address without a type', RECIPIENT.replace('rfc822; ', ''), [bounce()]],
  [
    'folded fields in any case',
    'FINAL-recipient: RFC822;\n <ana@reader.example>\naction: Failed\nSTATUS: 5.1.1 (no)\n',
    [bounce()],
  ],
  [
    'the original of a forwarded address',
    `Original-Recipient: rfc822;ana@reader.example\n${RECIPIENT.replace('ana@', 'forwarded@')}`,
    [bounce()],
  ],
  ['a full mailbox', RECIPIENT.replace('5.1.1', '5.2.2'), [bounce({ isHard: false, status: '5.2.2' })]],
  ['a policy', RECIPIENT.replace('5.1.1', '5.7.26'), [bounce({ isHard: false, status: '5.7.26' })]],
  ['an expired email', RECIPIENT.replace('5.1.1', '4.4.7'), [bounce({ isHard: false, status: '4.4.7' })]],
  [
    'a general status with an exact answer',
    `${RECIPIENT.replace('5.1.1', '5.0.0')}Diagnostic-Code: smtp; 550 5.1.1 no\n`,
    [bounce()],
  ],
  [
    'a general status with a full mailbox',
    `${RECIPIENT.replace('5.1.1', '5.0.0')}Diagnostic-Code: smtp; 552-5.2.2 full\n`,
    [bounce({ isHard: false, status: '5.2.2' })],
  ],
  [
    'only a basic code',
    `${RECIPIENT.replace('Status: 5.1.1\n', '')}Diagnostic-Code: smtp; 550 no such user\n`,
    [bounce({ status: undefined })],
  ],
  ['a delay', RECIPIENT.replace('failed', 'delayed'), []],
  [
    'a delivery',
    RECIPIENT.replace('failed', 'delivered').replace('5.1.1', '2.0.0'),
    [bounce({ kind: 'delivery', isHard: false, status: undefined })],
  ],
  [
    'two recipients',
    `${RECIPIENT}\n${RECIPIENT.replace('ana@', 'eva@')}`,
    [bounce(), bounce({ email: 'eva@reader.example' })],
  ],
  ['no recipient', '', []],
  ['no address', RECIPIENT.replace('ana@reader.example', 'ana'), []],
  ['two addresses', RECIPIENT.replace('ana@', 'eva@reader.example, ana@'), []],
])('a bounce about %s', async (_, status, expected) => {
  expect(await read({ status })).toEqual(expected);
});

test.each([['text/rfc822-headers'], ['message/rfc822']])(
  'the original email as %s names the message',
  async (originalType) => {
    expect(await read({ status: RECIPIENT, originalType })).toEqual([bounce()]);
    expect(await read({ status: RECIPIENT, originalType, original: 'Subject: a\n\n' })).toEqual([
      bounce({ messageId: null }),
    ]);
  },
);

test('a bounce from the future is of now', async () => {
  expect(await read({ status: RECIPIENT, date: 'Fri, 27 Nov 2099 08:00:00 +0000' })).toEqual([bounce({ at: NOW })]);
  expect(await read({ status: RECIPIENT, date: 'yesterday' })).toEqual([bounce({ at: NOW })]);
  // a year that no database has
  const oldest = [bounce({ at: new Date('2026-10-28T09:00:00Z') })];
  expect(await read({ status: RECIPIENT, date: '-200000-01-01T00:00:00Z' })).toEqual(oldest);
});

const ABUSE = 'Feedback-Type: abuse\nUser-Agent: Loop/1.0\nVersion: 1\n';
const complaint = (changes: object = {}) => bounce({ kind: 'complaint', isHard: false, status: undefined, ...changes });
test.each<[string, string, object[]]>([
  ['names the recipient', `${ABUSE}Original-Rcpt-To: <ana@reader.example>\n`, [complaint()]],
  ['was redacted', ABUSE, [complaint()]],
  ['is an opt-out', 'Feedback-Type: opt-out\n', [complaint()]],
  ['takes one back', 'Feedback-Type: not-spam\n', []],
  ['is about authentication', 'Feedback-Type: auth-failure\n', []],
  ['has no type', 'Version: 1\n', []],
])('a complaint that %s', async (_, feedback, expected) => {
  expect(await read({ feedback })).toEqual(expected);
});

test('other emails have no events', async () => {
  expect(
    await readReport(Buffer.from('Subject: Out of office\r\n\r\nFinal-Recipient: rfc822; a@b.example'), NOW),
  ).toEqual([]);
  expect(await readReport(Buffer.alloc(0), NOW)).toEqual([]);
  expect(await readReport(Buffer.from([0, 255, 10, 0, 254]), NOW)).toEqual([]);
  expect(await read({})).toEqual([]);
});

test('reports have limits', async () => {
  const nested = `${'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(300)}`;
  const many = Array.from({ length: 5000 }, (_, i) => RECIPIENT.replace('ana@', `r${i}@`)).join('\n');

  await expect(readReport(Buffer.alloc(2_000_000, 'a'), NOW)).rejects.toThrow('too large');
  expect(await readReport(Buffer.from(nested), NOW)).toEqual([]);
  expect(await read({ status: many })).toHaveLength(100);
});
