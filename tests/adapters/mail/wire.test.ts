import { expect, test } from 'vitest';
import { prepareTransaction } from '~/server/adapters/mail/bulk/envelope-commands';
import { createReplyReader, type SmtpReply } from '~/server/adapters/mail/bulk/smtp-reply';
import { readOffers } from '~/server/adapters/mail/bulk/smtp-session';
import { readSmtpUrl } from '~/server/adapters/mail/bulk/smtp-url';
import { toWireBytes } from '~/server/adapters/mail/bulk/wire-bytes';

test.each([
  ['a\r\nb\r\n', 'a\r\nb\r\n', 'a\r\nb\r\n'],
  ['a\nb', 'a\r\nb\r\n', 'a\r\nb\r\n'],
  ['a\rb\r', 'a\r\nb\r\n', 'a\r\nb\r\n'],
  ['a\r\r\nb\r\n', 'a\r\n\r\nb\r\n', 'a\r\n\r\nb\r\n'],
  ['.\r\n', '..\r\n', '.\r\n'],
  ['a\r\n.\r\n', 'a\r\n..\r\n', 'a\r\n.\r\n'],
  [
    'a\n.\nMAIL FROM:<b@b.example>\n',
    'a\r\n..\r\nMAIL FROM:<b@b.example>\r\n',
    'a\r\n.\r\nMAIL FROM:<b@b.example>\r\n',
  ],
  ['a\n.\r\nb', 'a\r\n..\r\nb\r\n', 'a\r\n.\r\nb\r\n'],
  ['a\r\n..b', 'a\r\n...b\r\n', 'a\r\n..b\r\n'],
  ['', '\r\n', '\r\n'],
])('%j is sent with whole line ends, and with dots that end nothing', (text, stuffed, plain) => {
  expect(toWireBytes(Buffer.from(text), true).bytes.toString()).toBe(stuffed);
  expect(toWireBytes(Buffer.from(text), false).bytes.toString()).toBe(plain);
});

test('a clean message is not copied', () => {
  const message = Buffer.from('Subject: a\r\n\r\nb.\r\n');

  expect(toWireBytes(message, true)).toEqual({ bytes: message, isAscii: true });
  expect(toWireBytes(message, true).bytes).toBe(message);
});

function read(...chunks: string[]): SmtpReply[] {
  const replies: SmtpReply[] = [];
  const reader = createReplyReader((reply) => replies.push(reply));
  for (const chunk of chunks) reader.add(Buffer.from(chunk));
  return replies;
}

test.each<[string[], Partial<SmtpReply>[]]>([
  [['250 2.1.0 ok\r\n'], [{ code: 250, status: '2.1.0', text: '2.1.0 ok' }]],
  [
    ['25', '0 o', 'k\r', '\n354 go\r\n'],
    [{ code: 250, text: 'ok' }, { code: 354 }],
  ],
  [['550-5.1.1 no\r\n550 5.1.1 such user\r\n'], [{ code: 550, status: '5.1.1', text: '5.1.1 no 5.1.1 such user' }]],
  [['250\n'], [{ code: 250, status: null, text: '' }]],
  [['550 2.0.0 mixed\r\n'], [{ code: 550, status: null }]],
  [['550 5.1.1.1 odd\r\n'], [{ code: 550, status: null }]],
  [['450 4.2.0\u0007 bell\r\n'], [{ code: 450, status: null, text: '4.2.0 bell' }]],
])('the answer %j is read', (chunks, replies) => {
  expect(read(...chunks)).toEqual(replies.map((reply) => expect.objectContaining(reply)));
});

test.each(['HTTP/1.1 200 OK\r\n', '250-a\r\n550 b\r\n', '\r\n', '999 no\r\n', '250_ok\r\n', 'x'.repeat(5000)])(
  'the answer %j is not SMTP',
  (text) => {
    expect(() => read(text)).toThrow();
  },
);

test('offers are read in any spelling', () => {
  expect(readOffers(['pipelining', 'SIZE 1000', 'AUTH=LOGIN', 'Auth plain XOAUTH2', '8bitmime'])).toEqual({
    pipelining: true,
    chunking: false,
    eightBit: true,
    utf8: false,
    dsn: false,
    startTls: false,
    auth: ['LOGIN', 'PLAIN', 'XOAUTH2'],
    size: 1000,
  });
});

const OFFERS = readOffers(['PIPELINING', 'SIZE 100', 'DSN']);
const envelope = (changes: object) => ({
  id: 'a+b=1',
  from: 'a@a.example',
  to: 'b@b.example',
  bytes: () => Buffer.alloc(0),
  ...changes,
});

test('the envelope says its size and asks for notices of failures', () => {
  const transaction = prepareTransaction(envelope({}), Buffer.from('a\r\n'), OFFERS);

  expect(transaction).toEqual({
    mail: 'MAIL FROM:<a@a.example> SIZE=3 RET=HDRS ENVID=a+2Bb+3D1\r\n',
    rcpt: 'RCPT TO:<b@b.example> NOTIFY=FAILURE\r\n',
    body: [Buffer.from('a\r\n.\r\n')],
  });
});

test.each<[string, object, string, string]>([
  ['two commands', { to: 'b@b.example>\r\nRCPT TO:<c@c.example' }, 'a', '5.1.3'],
  ['no address', { to: 'b' }, 'a', '5.1.3'],
  ['a sender with a parameter', { from: 'a@a.example> SIZE=1' }, 'a', '5.1.3'],
  ['a large email', {}, 'a'.repeat(101), '5.3.4'],
  ['an international address', { to: 'josé@b.example' }, 'a', '5.6.7'],
  ['8-bit contents', {}, 'é', '5.6.3'],
])('%s is not sent', (_, changes, bytes, status) => {
  expect(prepareTransaction(envelope(changes), Buffer.from(bytes), OFFERS)).toMatchObject({ state: 'bounced', status });
});

test('servers that can get international addresses and 8-bit contents', () => {
  const offers = readOffers(['SMTPUTF8', '8BITMIME', 'CHUNKING']);

  expect(prepareTransaction(envelope({ to: 'josé@ñ.example' }), Buffer.from('é'), offers)).toEqual({
    mail: 'MAIL FROM:<a@a.example> BODY=8BITMIME SMTPUTF8\r\n',
    rcpt: 'RCPT TO:<josé@xn--ida.example>\r\n',
    body: [Buffer.from('BDAT 4 LAST\r\né\r\n')],
  });
});

test.each([
  ['smtp://mail.example', { port: 587, isSecure: false, startTls: 'offered', credentials: null }],
  ['smtps://mail.example', { port: 465, isSecure: true }],
  [
    'smtp://u%40x:p%3A@mail.example:25',
    { port: 25, startTls: 'required', credentials: { user: 'u@x', password: 'p:' } },
  ],
  ['smtp://u:p@localhost:25', { startTls: 'offered' }],
  ['smtp://u:p@mail.example?ignoreTLS=true', { startTls: 'never' }],
  ['smtp://[::1]:2525?requireTLS=true&name=me.example', { host: '::1', startTls: 'required', name: 'me.example' }],
  ['smtps://m.example?tls.rejectUnauthorized=false', { tls: { rejectUnauthorized: false } }],
])('the address %s', (url, expected) => {
  expect(readSmtpUrl(url)).toMatchObject(expected);
});
