import { createHmac, createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { isHardCode, isHardStatus } from '../base/mail-status';
import {
  addressIn,
  checkAge,
  checkSize,
  isSame,
  type MailEvent,
  messageIdIn,
  RejectedReport,
  readJson,
  statusIn,
  type WebhookRequest,
} from './mail-event';

const mailgunReport = z.object({
  signature: z.object({
    timestamp: z.string().regex(/^\d{1,12}$/),
    token: z.string().min(1).max(100),
    signature: z.string(),
  }),
  'event-data': z.object({
    event: z.string(),
    timestamp: z.number(),
    severity: z.string().optional(),
    recipient: z.string(),
    'delivery-status': z.object({ code: z.number().optional(), 'enhanced-code': z.string().optional() }).optional(),
    message: z.object({ headers: z.object({ 'message-id': z.string().optional() }).optional() }).optional(),
  }),
});

/**
 * Reads a report of Mailgun. The signature covers only a time and a token, so a stolen one could be used for another
 * report: accept each `token` once. @throws RejectedReport
 */
export function readMailgunWebhook({ body, now }: WebhookRequest, signingKey: string) {
  checkSize(body);
  const { data: report } = mailgunReport.safeParse(readJson(body.toString()));
  if (!report) throw new RejectedReport('not a report of Mailgun');
  const { timestamp, token, signature } = report.signature;
  const expected = createHmac('sha256', signingKey).update(`${timestamp}${token}`).digest('hex');
  if (!isSame(signature, expected)) throw new RejectedReport('the signature is wrong');
  checkAge(new Date(Number(timestamp) * 1000), now);
  return { events: mailgunEvents(report['event-data']), token };
}

function mailgunEvents(data: z.infer<typeof mailgunReport>['event-data']): MailEvent[] {
  const kinds: Record<string, MailEvent['kind'] | undefined> = { complained: 'complaint', delivered: 'delivery' };
  // a temporary failure is tried again by Mailgun
  const kind = data.event === 'failed' && data.severity === 'permanent' ? 'bounce' : kinds[data.event];
  const { code = 0, 'enhanced-code': status } = data['delivery-status'] ?? {};
  const isHard = kind === 'bounce' && (status ? isHardStatus(status) : isHardCode(code) || code === 605);
  return event(kind, isHard, {
    address: data.recipient,
    messageId: data.message?.headers?.['message-id'],
    at: new Date(data.timestamp * 1000),
    status,
  });
}

const sendgridReport = z
  .array(
    z.object({
      event: z.string(),
      email: z.string(),
      timestamp: z.number(),
      type: z.string().optional(),
      status: z.string().optional(),
      reason: z.string().optional(),
      'smtp-id': z.string().optional(),
    }),
  )
  .max(5000);

/** @param publicKey base64, as SendGrid shows it @throws RejectedReport */
export function readSendgridWebhook({ body, header, now }: WebhookRequest, publicKey: string): MailEvent[] {
  checkSize(body);
  const signature = header('X-Twilio-Email-Event-Webhook-Signature') ?? '';
  const timestamp = header('X-Twilio-Email-Event-Webhook-Timestamp') ?? '';
  if (!isSignedBy(publicKey, Buffer.concat([Buffer.from(timestamp), body]), signature)) {
    throw new RejectedReport('the signature is wrong');
  }
  checkAge(new Date(Number(timestamp) * 1000), now);
  const { data: report } = sendgridReport.safeParse(readJson(body.toString()));
  if (!report) throw new RejectedReport('not a report of SendGrid');
  return report.flatMap(sendgridEvents);
}

function isSignedBy(publicKey: string, data: Buffer, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return verify('sha256', data, key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function sendgridEvents(data: z.infer<typeof sendgridReport>[number]): MailEvent[] {
  const kinds: Record<string, MailEvent['kind'] | undefined> = {
    bounce: 'bounce',
    dropped: 'bounce',
    spamreport: 'complaint',
    delivered: 'delivery',
  };
  const kind = kinds[data.event];
  // a block is about the sender or the content; a drop repeats what SendGrid already knows of the address
  const isHard =
    data.event === 'bounce'
      ? data.type !== 'blocked' && (!data.status || data.status === '5.0.0' || isHardStatus(data.status))
      : data.event === 'dropped' && /^(?:bounced address|invalid)/i.test(data.reason ?? '');
  return event(kind, isHard, {
    address: data.email,
    messageId: data['smtp-id'],
    at: new Date(data.timestamp * 1000),
    status: data.status,
  });
}

const postmarkReport = z.object({
  RecordType: z.string(),
  Type: z.string().optional(),
  Email: z.string().optional(),
  Recipient: z.string().optional(),
  BouncedAt: z.iso.datetime({ offset: true }).optional(),
  DeliveredAt: z.iso.datetime({ offset: true }).optional(),
  Metadata: z.object({ id: z.string().optional() }).optional(),
});

/** Postmark replaces the Message-ID. What an email has here, its reports repeat. */
export const POSTMARK_ID_HEADER = 'X-PM-Metadata-id';

/** Types of bounces after which the email has not arrived. The others are answers, delays and requests. */
const POSTMARK_HARD = ['HardBounce', 'BadEmailAddress'];
const POSTMARK_SOFT = [
  'SoftBounce',
  'SpamNotification',
  'Blocked',
  'DnsError',
  'DMARCPolicy',
  'VirusNotification',
  'Unknown',
];

/**
 * Reads a report of Postmark, which signs nothing but sends the name and password that its address has.
 * Its reports name the id of `POSTMARK_ID_HEADER`. @throws RejectedReport
 */
export function readPostmarkWebhook(
  { body, header, now }: WebhookRequest,
  { user, password }: { user: string; password: string },
): MailEvent[] {
  checkSize(body);
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  if (!isSame(header('Authorization') ?? '', expected)) throw new RejectedReport('the password is wrong');
  const { data: report } = postmarkReport.safeParse(readJson(body.toString()));
  if (!report) throw new RejectedReport('not a report of Postmark');
  const { RecordType: record, Type: type = '', Email, Recipient, BouncedAt, DeliveredAt, Metadata } = report;
  const isHard = record === 'Bounce' && POSTMARK_HARD.includes(type);
  const bounce = isHard || POSTMARK_SOFT.includes(type) ? 'bounce' : undefined;
  const kinds: Record<string, MailEvent['kind'] | undefined> = {
    Bounce: bounce,
    SpamComplaint: 'complaint',
    Delivery: 'delivery',
  };
  const at = new Date(BouncedAt ?? DeliveredAt ?? now);
  return event(kinds[record], isHard, { address: Email ?? Recipient, messageId: Metadata?.id, at });
}

function event(
  kind: MailEvent['kind'] | undefined,
  isHard: boolean,
  given: { address: string | undefined; messageId: string | null | undefined; at: Date; status?: string },
): MailEvent[] {
  const email = addressIn(given.address);
  if (!kind || !email || Number.isNaN(given.at.getTime())) return [];
  return [
    {
      kind,
      isHard,
      email,
      messageId: messageIdIn(given.messageId),
      at: given.at,
      ...statusIn(kind === 'bounce' ? given.status : undefined),
    },
  ];
}
