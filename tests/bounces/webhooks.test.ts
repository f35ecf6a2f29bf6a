import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import type { WebhookRequest } from '~/server/bounces/mail-event';
import { readMailgunWebhook, readPostmarkWebhook, readSendgridWebhook } from '~/server/bounces/provider-webhooks';
import { readSesWebhook } from '~/server/bounces/ses-webhook';

const NOW = new Date('2026-11-27T08:00:00Z');
const SECONDS = String(NOW.getTime() / 1000);
const DAYS_AGO = new Date('2026-11-25T08:00:00Z');

function request(body: unknown, headers: Record<string, string> = {}, now = NOW): WebhookRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { body: Buffer.from(text), header: (name) => headers[name.toLowerCase()] ?? null, now };
}
const event = (changes: object = {}) => ({
  kind: 'bounce',
  isHard: false,
  email: 'jane@example.com',
  messageId: 'e7-c1@altavoz.example',
  at: NOW,
  ...changes,
});

// SES: shapes from its documentation, signed with a key of our own
const amazon = generateKeyPairSync('rsa', { modulusLength: 2048 });
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:bounces';
const CERTIFICATE =
  'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-56e67fcb41f6fec09b0196692625d385.pem';
const SES = {
  topicArn: TOPIC,
  certificateOf: async () => ({
    pem: String(amazon.publicKey.export({ type: 'spki', format: 'pem' })),
    keep: () => {},
  }),
};

function sns(changes: Record<string, string> = {}, privateKey = amazon.privateKey): Record<string, string> {
  const message: Record<string, string> = {
    Type: 'Notification',
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: TOPIC,
    Message: '{}',
    Timestamp: NOW.toISOString(),
    SignatureVersion: '2',
    SigningCertURL: CERTIFICATE,
    ...changes,
  };
  const names = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const signer = createSign(message.SignatureVersion === '1' ? 'sha1' : 'sha256');
  for (const name of names) if (message[name] !== undefined) signer.update(`${name}\n${message[name]}\n`);
  return { ...message, Signature: signer.sign(privateKey, 'base64') };
}
const MAIL = {
  timestamp: NOW.toISOString(),
  source: 'john@example.com',
  messageId: '00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000',
  destination: ['jane@example.com'],
  headers: [{ name: 'Message-ID', value: '<e7-c1@altavoz.example>' }],
};
const ses = (report: object) =>
  readSesWebhook(request(sns({ Message: JSON.stringify({ mail: MAIL, ...report }) })), SES);
const sesBounce = (bounceType: string, recipient: object) => ({
  notificationType: 'Bounce',
  bounce: {
    bounceType,
    timestamp: NOW.toISOString(),
    bouncedRecipients: [{ emailAddress: 'jane@example.com', ...recipient }],
  },
});

test.each<[string, object, object[]]>([
  [
    'a missing address',
    sesBounce('Permanent', { status: '5.1.1', action: 'failed' }),
    [event({ isHard: true, status: '5.1.1' })],
  ],
  ['a bounce without a status', sesBounce('Permanent', {}), [event({ isHard: true })]],
  ['rejected contents', sesBounce('Permanent', { status: '5.7.1' }), [event({ status: '5.7.1' })]],
  ['a full mailbox', sesBounce('Transient', { status: '5.2.2' }), [event({ status: '5.2.2' })]],
  [
    'a complaint',
    {
      eventType: 'Complaint',
      complaint: {
        timestamp: NOW.toISOString(),
        complaintFeedbackType: 'abuse',
        complainedRecipients: [{ emailAddress: 'jane@example.com' }],
      },
    },
    [event({ kind: 'complaint' })],
  ],
  [
    'a complaint that is taken back',
    {
      complaint: {
        timestamp: NOW.toISOString(),
        complaintFeedbackType: 'not-spam',
        complainedRecipients: [{ emailAddress: 'jane@example.com' }],
      },
    },
    [],
  ],
  [
    'a delivery',
    { notificationType: 'Delivery', delivery: { timestamp: NOW.toISOString(), recipients: ['jane@example.com'] } },
    [event({ kind: 'delivery' })],
  ],
  ['another event', { eventType: 'Open', open: {} }, []],
])('SES reports %s', async (_, report, events) => {
  expect(await ses(report)).toEqual({ events, confirmUrl: null });
});

test('SES is confirmed at an address of Amazon only', async () => {
  const confirm = (SubscribeURL: string) =>
    readSesWebhook(request(sns({ Type: 'SubscriptionConfirmation', Token: 'abc', SubscribeURL })), SES);
  const url = `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=abc`;

  expect(await confirm(url)).toEqual({ events: [], confirmUrl: url });
  await expect(confirm(url.replace('amazonaws.com', 'amazonaws.com.evil.example'))).rejects.toThrow('not an address');
  await expect(confirm('http://169.254.169.254/?Action=ConfirmSubscription&a=b')).rejects.toThrow('not an address');
});

const forger = generateKeyPairSync('rsa', { modulusLength: 2048 });
test.each<[string, unknown, string]>([
  ['a forged message', sns({}, forger.privateKey), 'signature'],
  ['a changed message', { ...sns(), Message: '{"a":1}' }, 'signature'],
  ['an added subject', { ...sns(), Subject: 'a' }, 'signature'],
  ['a signature that is none', { ...sns(), Signature: 'AAAA' }, 'signature'],
  ['another topic', sns({ TopicArn: `${TOPIC}2` }), 'another topic'],
  ['an old message', sns({ Timestamp: DAYS_AGO.toISOString() }), 'old'],
  ['a message from the future', sns({ Timestamp: '2026-11-27T09:00:00.000Z' }), 'old'],
  [
    'a certificate of another host',
    sns({
      SigningCertURL:
        'https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-56e67fcb41f6fec09b0196692625d385.pem',
    }),
    'not a certificate',
  ],
  [
    'a certificate in a bucket',
    sns({
      SigningCertURL:
        'https://s3.eu-west-1.amazonaws.com/SimpleNotificationService-56e67fcb41f6fec09b0196692625d385.pem',
    }),
    'not a certificate',
  ],
  [
    'a certificate of another region',
    sns({ SigningCertURL: CERTIFICATE.replace('eu-west-1', 'us-east-1') }),
    'not a certificate',
  ],
  ['a certificate without TLS', sns({ SigningCertURL: CERTIFICATE.replace('https', 'http') }), 'not a certificate'],
  ['another version', sns({ SignatureVersion: '3' }), 'not a message'],
  ['no JSON', 'x', 'not JSON'],
  ['a list', [], 'not a message'],
  ['a megabyte', `{"a":"${'a'.repeat(2_000_000)}"}`, 'too large'],
])('SES: %s is rejected', async (_, body, reason) => {
  await expect(readSesWebhook(request(body), SES)).rejects.toThrow(reason);
});

// Mailgun
const KEY = 'key-1';
function mailgun(data: object, changes: Record<string, string> = {}) {
  const [timestamp, token] = [changes.timestamp ?? SECONDS, 'c7a1f0'];
  const signature =
    changes.signature ??
    createHmac('sha256', KEY)
      .update(timestamp + token)
      .digest('hex');
  return {
    signature: { timestamp, token, signature },
    'event-data': {
      event: 'failed',
      timestamp: NOW.getTime() / 1000,
      recipient: 'jane@example.com',
      message: { headers: { 'message-id': 'e7-c1@altavoz.example' } },
      ...data,
    },
  };
}

test.each<[string, object, object[]]>([
  [
    'a missing address',
    { severity: 'permanent', 'delivery-status': { code: 550, 'enhanced-code': '5.1.1' } },
    [event({ isHard: true, status: '5.1.1' })],
  ],
  [
    'a suppressed address',
    { severity: 'permanent', reason: 'suppress-bounce', 'delivery-status': { code: 605 } },
    [event({ isHard: true })],
  ],
  [
    'rejected contents',
    { severity: 'permanent', 'delivery-status': { code: 550, 'enhanced-code': '5.7.1' } },
    [event({ status: '5.7.1' })],
  ],
  ['a delay', { severity: 'temporary', 'delivery-status': { code: 452 } }, []],
  ['a complaint', { event: 'complained' }, [event({ kind: 'complaint' })]],
  ['a delivery', { event: 'delivered' }, [event({ kind: 'delivery' })]],
  ['another event', { event: 'opened' }, []],
])('Mailgun reports %s', (_, data, events) => {
  expect(readMailgunWebhook(request(mailgun(data)), KEY)).toEqual({ events, token: 'c7a1f0' });
});

test.each<[string, unknown, string]>([
  ['a forged report', mailgun({}, { signature: '0'.repeat(64) }), 'signature'],
  ['an old report', mailgun({}, { timestamp: String(DAYS_AGO.getTime() / 1000) }), 'old'],
  ['no report', {}, 'not a report'],
])('Mailgun: %s is rejected', (_, body, reason) => {
  expect(() => readMailgunWebhook(request(body), KEY)).toThrow(reason);
});

// SendGrid
const twilio = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PUBLIC = twilio.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
function sendgrid(body: unknown, timestamp = SECONDS): WebhookRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const signature = createSign('sha256')
    .update(timestamp + text)
    .sign(twilio.privateKey, 'base64');
  return request(text, {
    'x-twilio-email-event-webhook-signature': signature,
    'x-twilio-email-event-webhook-timestamp': timestamp,
  });
}

test('SendGrid reports several events at once', () => {
  const base = { email: 'jane@example.com', timestamp: NOW.getTime() / 1000, 'smtp-id': '<e7-c1@altavoz.example>' };
  const events = readSendgridWebhook(
    sendgrid([
      { ...base, event: 'bounce', type: 'bounce', status: '5.1.1' },
      { ...base, event: 'bounce', type: 'bounce', status: '5.0.0' },
      { ...base, event: 'bounce', type: 'blocked', status: '5.7.1' },
      { ...base, event: 'dropped', reason: 'Bounced Address' },
      { ...base, event: 'dropped', reason: 'Unsubscribed Address' },
      { ...base, event: 'spamreport' },
      { ...base, event: 'delivered' },
      { ...base, event: 'processed' },
      { ...base, event: 'bounce', email: 'nobody' },
    ]),
    PUBLIC,
  );

  expect(events).toEqual([
    event({ isHard: true, status: '5.1.1' }),
    event({ isHard: true, status: '5.0.0' }),
    event({ status: '5.7.1' }),
    event({ isHard: true }),
    event(),
    event({ kind: 'complaint' }),
    event({ kind: 'delivery' }),
  ]);
});

test('the published example of a signature of SendGrid is valid', () => {
  const publicKey =
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==';
  const headers = {
    'x-twilio-email-event-webhook-signature':
      'MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0=',
    'x-twilio-email-event-webhook-timestamp': '1588788367',
  };
  const body = { category: 'example_payload', event: 'test_event', message_id: 'message_id' };
  const at = new Date(1_588_788_400_000);

  // the signature and the age are right, but the example is no list
  expect(() => readSendgridWebhook(request(body, headers, at), publicKey)).toThrow('not a report');
  expect(() => readSendgridWebhook(request({ ...body, event: 'x' }, headers, at), publicKey)).toThrow('signature');
});

test('SendGrid: forged and old reports are rejected', () => {
  const signed = sendgrid([]);

  expect(() => readSendgridWebhook({ ...signed, body: Buffer.from('[{}]') }, PUBLIC)).toThrow('signature');
  expect(() => readSendgridWebhook({ ...signed, header: () => null }, PUBLIC)).toThrow('signature');
  expect(() => readSendgridWebhook(signed, 'no key')).toThrow('signature');
  expect(() => readSendgridWebhook(sendgrid([], String(DAYS_AGO.getTime() / 1000)), PUBLIC)).toThrow('old');
  expect(() => readSendgridWebhook(sendgrid(Array(5001).fill({})), PUBLIC)).toThrow('not a report');
});

// Postmark: shapes from its documentation
const BASIC = { user: 'postmark', password: 'secret' };
const authorized = { authorization: `Basic ${Buffer.from('postmark:secret').toString('base64')}` };
const BOUNCED = {
  RecordType: 'Bounce',
  ID: 42,
  Type: 'HardBounce',
  TypeCode: 1,
  Email: 'jane@example.com',
  BouncedAt: '2026-11-27T03:00:00.0000000-05:00',
};

test.each<[string, object, object[]]>([
  ['a missing address', BOUNCED, [event({ isHard: true, messageId: null })]],
  ['a soft bounce', { ...BOUNCED, Type: 'SoftBounce' }, [event({ messageId: null })]],
  ['an automatic answer', { ...BOUNCED, Type: 'AutoResponder' }, []],
  [
    'a complaint',
    { ...BOUNCED, RecordType: 'SpamComplaint', Type: 'SpamComplaint' },
    [event({ kind: 'complaint', messageId: null })],
  ],
  [
    'a delivery',
    { RecordType: 'Delivery', Recipient: 'jane@example.com', DeliveredAt: '2026-11-27T08:00:00Z' },
    [event({ kind: 'delivery', messageId: null })],
  ],
  ['another event', { RecordType: 'Open', Recipient: 'jane@example.com' }, []],
])('Postmark reports %s', (_, report, events) => {
  expect(readPostmarkWebhook(request(report, authorized), BASIC)).toEqual(events);
});

test('Postmark: reports without the password are rejected', () => {
  expect(() => readPostmarkWebhook(request(BOUNCED), BASIC)).toThrow('password');
  expect(() => readPostmarkWebhook(request(BOUNCED, { authorization: 'Basic cG9zdG1hcms6' }), BASIC)).toThrow(
    'password',
  );
  expect(() => readPostmarkWebhook(request([], authorized), BASIC)).toThrow('not a report');
});
