import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { editionRecipients, mailReportTokens } from '~/db/schema/newsletter';
import { fileMissing, serverFailing } from '~/server/adapters/feed-fetcher/errors';
import type { FetchRequest } from '~/server/adapters/feed-fetcher/port';
import { DAYS, later } from '~/server/base/time';
import { emailTag } from '~/server/domain/newsletter/email-tags';
import { mailWebhooksDoor } from '~/server/doors/mail-webhooks';
import { inboundMailSettings } from '~/server/env/inbound-mail';
import { BODY_LIMITS, RATE_LIMITS } from '~/server/limits/http';
import { INBOUND_LIMITS } from '~/server/limits/newsletter';
import { newsletterStage } from '../domain/newsletter/sent-editions';
import { pagesApp } from '../support/pages-app';
import { SNS_CERTIFICATE, SNS_KEY } from '../support/sns-certificate';

const stage = await newsletterStage();
const { runtime, env, clock, publisher, addContacts, draft, deliver, jobCtx, statesOf } = stage;
const twilio = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:bounces';
const ALL = inboundMailSettings(
  {
    BOUNCE_MAILBOX_DONE: 'keep',
    SES_TOPIC_ARN: TOPIC,
    POSTMARK_WEBHOOK_LOGIN: 'postmark:a-long-password',
    MAILGUN_SIGNING_KEY: 'key-1',
    SENDGRID_PUBLIC_KEY: twilio.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  } as never,
  'altavoz.example',
);
const appWith = (settings: typeof ALL) => pagesApp(runtime, env.urls, { doors: [mailWebhooksDoor(runtime, settings)] });
const app = appWith(ALL);
const HOST = 'http://altavoz.localhost:3000';
const post = (sender: string, body: string, headers: Record<string, string> = {}, to = app) =>
  to.request(`${HOST}/webhooks/mail/${sender}`, { method: 'POST', body, headers });

async function sentTo(count: number) {
  const owner = await publisher();
  const readers = await addContacts(owner.creatorId, count);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  await deliver(edition.id);
  const idOf = (contactId: number) => emailTag(jobCtx(), { editionId: edition.id, contactId });
  return { owner, readers, editionId: edition.id, idOf };
}
const seconds = () => String(Math.floor(clock.now.getTime() / 1000));

function mailgun(email: string, tag: string, { token = 'token', timestamp = seconds(), key = 'key-1' } = {}) {
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex');
  const message = { headers: { 'message-id': `${tag}@altavoz.example` } };
  const status = { code: 550, 'enhanced-code': '5.1.1' };
  const event = { event: 'failed', severity: 'permanent', timestamp: Number(timestamp), recipient: email, message };
  return JSON.stringify({
    signature: { timestamp, token, signature },
    'event-data': { ...event, 'delivery-status': status },
  });
}

function sendgrid(events: object[], timestamp = seconds()) {
  const body = JSON.stringify(events);
  const signature = createSign('sha256')
    .update(timestamp + body)
    .sign(twilio.privateKey, 'base64');
  const name = 'x-twilio-email-event-webhook';
  return { body, headers: { [`${name}-signature`]: signature, [`${name}-timestamp`]: timestamp } };
}

function sns(message: object, changes: Record<string, string> = {}): string {
  const fields: Record<string, string> = {
    ...{ Type: 'Notification', MessageId: '1', TopicArn: TOPIC, Message: JSON.stringify(message) },
    ...{ Timestamp: clock.now.toISOString(), SignatureVersion: '2', SigningCertURL: certificateUrl('a') },
    ...changes,
  };
  const names = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const signer = createSign('sha256');
  for (const name of names) if (fields[name] !== undefined) signer.update(`${name}\n${fields[name]}\n`);
  return JSON.stringify({ ...fields, Signature: signer.sign(SNS_KEY, 'base64') });
}
const certificateUrl = (digit: string) =>
  `https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-${digit.repeat(32)}.pem`;
/** Answers like a server; the addresses that were fetched. */
function answering(answer: (request: FetchRequest) => string): string[] {
  const fetched: string[] = [];
  runtime.ports.fetcher.fetch = async (request) => {
    fetched.push(request.url);
    return { unchanged: false, bytes: Buffer.from(answer(request)) } as never;
  };
  return fetched;
}

test('a provider that is not set up has no door, and neither has a creator’s host', async () => {
  const none = appWith(inboundMailSettings({ BOUNCE_MAILBOX_DONE: 'keep' } as never, 'altavoz.example'));
  for (const sender of ['ses', 'postmark', 'mailgun', 'sendgrid', 'message', 'other', '__proto__'])
    expect([sender, (await post(sender, '{}', {}, none)).status]).toEqual([sender, 404]);

  const url = `http://staging-lucia.altavoz.localhost:3000/webhooks/mail/mailgun`;
  const answer = await app.request(url, { method: 'POST', body: mailgun('a@mail.example', 'x') });
  expect(answer.status).not.toBe(200);
  expect((await app.request(`${HOST}/webhooks/mail/ses`)).status).toBe(405);
});

test('a bounce that Mailgun signed counts once, however often its token is used', async () => {
  const { readers, editionId, idOf } = await sentTo(2);
  const [first, second] = readers;
  const report = mailgun(first!.email, idOf(first!.id), { token: 'once' });

  const answers = await Promise.all([post('mailgun', report), post('mailgun', report)]);
  const stolen = await post('mailgun', mailgun(second!.email, idOf(second!.id), { token: 'once' }));

  expect([...answers, stolen].map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await statesOf(editionId)).toEqual({ [first!.email]: 'bounced', [second!.email]: 'sent' });
  expect(await runtime.db.$count(mailReportTokens, eq(mailReportTokens.token, 'once'))).toBe(1);
});

test('forged and old reports are rejected and change nothing', async () => {
  const { readers, editionId, idOf } = await sentTo(1);
  const { id, email } = readers[0]!;
  const old = String(Math.floor(later(clock.now, -DAYS(2)).getTime() / 1000));
  const signed = sendgrid([{ event: 'spamreport', email, timestamp: Number(seconds()), 'smtp-id': `<${idOf(id)}@a>` }]);
  const postmark = JSON.stringify({ RecordType: 'SpamComplaint', Email: email, Metadata: { id: idOf(id) } });
  const basic = (login: string) => ({ authorization: `Basic ${Buffer.from(login).toString('base64')}` });

  const answers = await Promise.all([
    post('mailgun', mailgun(email, idOf(id), { key: 'other' })),
    post('mailgun', mailgun(email, idOf(id), { timestamp: old })),
    post('mailgun', '[]'),
    post('sendgrid', signed.body.replace('spamreport', 'bounce'), signed.headers),
    post('sendgrid', signed.body),
    post('sendgrid', ...(Object.values(sendgrid([], old)) as [string, Record<string, string>])),
    post('postmark', postmark),
    post('postmark', postmark, basic('postmark:guess')),
    post('ses', sns({}, { TopicArn: `${TOPIC}2` })),
    post('ses', sns({}, { SigningCertURL: 'https://evil.example/a.pem' })),
    post('ses', sns({}, { Timestamp: later(clock.now, -DAYS(2)).toISOString() })),
  ]);

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
  expect(Object.values(await statesOf(editionId))).toEqual(['sent']);
});

test('Postmark and SendGrid report what they have signed', async () => {
  const { readers, editionId, idOf } = await sentTo(2);
  const [first, second] = readers;
  const authorization = `Basic ${Buffer.from('postmark:a-long-password').toString('base64')}`;
  const bounce = { RecordType: 'Bounce', Type: 'HardBounce', Email: first!.email, BouncedAt: clock.now.toISOString() };
  const spam = { event: 'spamreport', email: second!.email, timestamp: Number(seconds()) };
  const { body, headers } = sendgrid([{ ...spam, 'smtp-id': `<${idOf(second!.id)}@altavoz.example>` }]);

  await post('postmark', JSON.stringify({ ...bounce, Metadata: { id: idOf(first!.id) } }), { authorization });
  await post('sendgrid', body, headers);

  expect(await statesOf(editionId)).toEqual({ [first!.email]: 'bounced', [second!.email]: 'complained' });
});

test('five thousand events of one request are recorded', async () => {
  const { readers, editionId, idOf } = await sentTo(5);
  const events = Array.from({ length: 5000 }, (_, i) => {
    const reader = readers[i % 5]!;
    const tag = i < 5 ? idOf(reader.id) : `b.1.1.${'0'.repeat(20)}`;
    return { event: 'bounce', email: reader.email, timestamp: Number(seconds()), 'smtp-id': `<${tag}@a>` };
  });
  const { body, headers } = sendgrid(events);

  expect((await post('sendgrid', body, headers)).status).toBe(200);
  expect(new Set(Object.values(await statesOf(editionId)))).toEqual(new Set(['bounced']));
  const settled = await runtime.db.$count(editionRecipients, eq(editionRecipients.editionId, editionId));
  expect(settled).toBe(5);
});

test('more than a megabyte is refused before anything reads it', async () => {
  expect((await post('sendgrid', 'x'.repeat(BODY_LIMITS.mailReport + 1))).status).toBe(413);
  expect((await post('sendgrid', 'x'.repeat(BODY_LIMITS.mailReport))).status).toBe(400);
});

test('SES is confirmed at Amazon’s address, and its certificate is fetched once', async () => {
  const { readers, editionId, idOf } = await sentTo(2);
  const [gone, angry] = readers;
  const fetched = answering(({ url }) => (url.endsWith('.pem') ? SNS_CERTIFICATE : '<ok/>'));
  const confirmUrl = `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=abc`;
  const confirmation = { Type: 'SubscriptionConfirmation', Token: 'abc', SubscribeURL: confirmUrl };
  const timestamp = clock.now.toISOString();
  const bounced = [{ emailAddress: gone!.email, status: '5.1.1' }];
  const bounce = { bounceType: 'Permanent', bouncedRecipients: bounced, timestamp };
  const mail = { commonHeaders: { messageId: `<${idOf(gone!.id)}@altavoz.example>` } };
  const complaint = { complainedRecipients: [{ emailAddress: angry!.email }], timestamp };
  const source = `bounces+${idOf(angry!.id)}@altavoz.example`;

  const answers = [
    await post('ses', sns({}, confirmation)),
    await post('ses', sns({ notificationType: 'Bounce', bounce, mail })),
    await post('ses', sns({ eventType: 'Complaint', complaint, mail: { source } })),
  ];

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(fetched).toEqual([certificateUrl('a'), confirmUrl]);
  expect(await statesOf(editionId)).toEqual({ [gone!.email]: 'bounced', [angry!.email]: 'complained' });
});

test('a forged certificate of SNS is fetched once in a while, and faults of Amazon are no rejection', async () => {
  const own = appWith(ALL);
  const missing = answering(() => {
    throw fileMissing({ host: 'sns.eu-west-1.amazonaws.com', status: 404 });
  });
  for (let i = 0; i < INBOUND_LIMITS.certificates + 3; i += 1)
    await post('ses', sns({}, { SigningCertURL: `${certificateUrl('b').slice(0, -8)}${1000 + i}.pem` }), {}, own);
  expect(missing).toHaveLength(INBOUND_LIMITS.certificates);

  clock.now = later(clock.now, INBOUND_LIMITS.certificateWindow + 1);
  const failing = answering(() => {
    throw serverFailing({ host: 'sns.eu-west-1.amazonaws.com', status: 503 });
  });
  const other = () => post('ses', sns({}, { SigningCertURL: certificateUrl('c') }), {}, own);
  expect((await other()).status).toBe(503);
  answering(() => 'no certificate');
  expect((await other()).status).toBe(400);
  expect(failing).toEqual([certificateUrl('c')]);
});

test('certificates that have verified nothing replace none that has', async () => {
  const own = appWith(ALL);
  const fetched = answering(() => SNS_CERTIFICATE);
  const forge = (url: string) =>
    post('ses', sns({}, { SigningCertURL: url }).replace('"MessageId":"1"', '"MessageId":"2"'), {}, own);
  expect((await post('ses', sns({}), {}, own)).status).toBe(200);

  for (const digit of ['d', 'f']) {
    clock.now = later(clock.now, INBOUND_LIMITS.certificateWindow + 1);
    for (let i = 0; i < INBOUND_LIMITS.certificates + 3; i += 1)
      await forge(`${certificateUrl(digit).slice(0, -8)}${1000 + i}.pem`);
  }

  expect(fetched).toHaveLength(1 + 2 * INBOUND_LIMITS.certificates);
  expect((await post('ses', sns({}), {}, own)).status).toBe(200);
  const answers: number[] = [];
  for (let i = 0; i <= RATE_LIMITS.rejectedReport.points; i += 1)
    answers.push((await forge(certificateUrl('e'))).status);
  expect([answers[0], answers.at(-1)]).toEqual([503, 429]);
  await runtime.db.execute(sql`delete from rate_limits`);
});

test('one network’s forgeries are slowed down, and what is signed still arrives', async () => {
  const { readers, editionId, idOf } = await sentTo(1);
  const [reader] = readers;
  const forged = mailgun(reader!.email, idOf(reader!.id), { key: 'other' });
  const answers: number[] = [];
  for (let i = 0; i <= RATE_LIMITS.rejectedReport.points; i += 1) answers.push((await post('mailgun', forged)).status);

  expect(answers.at(-1)).toBe(429);
  const signed = mailgun(reader!.email, idOf(reader!.id), { token: 'still' });
  expect((await post('mailgun', signed)).status).toBe(200);
  expect(Object.values(await statesOf(editionId))).toEqual(['bounced']);
});
