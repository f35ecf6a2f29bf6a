import { createVerify } from 'node:crypto';
import { z } from 'zod';
import { isHardStatus } from '../base/mail-status';
import {
  addressIn,
  checkAge,
  checkSize,
  type MailEvent,
  messageIdIn,
  RejectedReport,
  readJson,
  statusIn,
  type WebhookRequest,
} from './mail-event';

const signed = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string(),
  TopicArn: z.string(),
  Subject: z.string().optional(),
  Message: z.string(),
  Timestamp: z.iso.datetime(),
  Token: z.string().optional(),
  SubscribeURL: z.url().optional(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.base64(),
  SigningCertURL: z.url(),
});
type Signed = z.infer<typeof signed>;

const recipient = z.object({ emailAddress: z.string(), status: z.string().optional() });
const notification = z.object({
  notificationType: z.string().optional(),
  eventType: z.string().optional(),
  bounce: z
    .object({ bounceType: z.string(), bouncedRecipients: z.array(recipient).max(100), timestamp: z.iso.datetime() })
    .optional(),
  complaint: z
    .object({
      complainedRecipients: z.array(recipient).max(100),
      complaintFeedbackType: z.string().nullish(),
      timestamp: z.iso.datetime(),
    })
    .optional(),
  delivery: z.object({ recipients: z.array(z.string()).max(100), timestamp: z.iso.datetime() }).optional(),
  mail: z.object({
    source: z.string().optional(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
    commonHeaders: z.object({ messageId: z.string().optional() }).optional(),
  }),
});
type Notification = z.infer<typeof notification>;

export type SesOptions = {
  topicArn: string;
  /** Fetches a certificate of Amazon; the address is checked before. */
  certificateOf(url: string): Promise<Certificate>;
};
/** In PEM. `keep` is called when a message of the topic was signed with it. */
export type Certificate = { pem: string; keep(): void };
export type SesReport = {
  events: MailEvent[];
  /** The address of Amazon that confirms the subscription when it is fetched. */
  confirmUrl: string | null;
};

/** Reads a report of SES, which SNS has signed. @throws RejectedReport */
export async function readSesWebhook(
  { body, now }: WebhookRequest,
  { topicArn, certificateOf }: SesOptions,
): Promise<SesReport> {
  checkSize(body);
  const { data: message } = signed.safeParse(readJson(body.toString()));
  if (!message) throw new RejectedReport('not a message of SNS');
  if (message.TopicArn !== topicArn) throw new RejectedReport('another topic');
  checkAge(new Date(message.Timestamp), now);
  if (!isCertificateFor(topicArn, message.SigningCertURL)) throw new RejectedReport('not a certificate of SNS');
  const certificate = await certificateOf(message.SigningCertURL);
  verify(message, certificate.pem);
  certificate.keep();
  if (message.Type === 'SubscriptionConfirmation') return { events: [], confirmUrl: confirmation(message) };
  if (message.Type !== 'Notification') return { events: [], confirmUrl: null };
  const { data } = notification.safeParse(readJson(message.Message));
  return { events: data ? eventsIn(data) : [], confirmUrl: null };
}

const HOST = String.raw`https:\/\/sns\.[a-z]{2}(?:-[a-z]+)+-\d\.amazonaws\.com(?:\.cn)?`;
const CERTIFICATE = new RegExp(String.raw`^${HOST}\/SimpleNotificationService-[0-9a-f]{32,64}\.pem$`);
/** A topic is signed in its own region: arn:aws:sns:{region}:{account}:{name}. */
const isCertificateFor = (topicArn: string, url: string): boolean =>
  CERTIFICATE.test(url) && new URL(url).host.split('.')[1] === topicArn.split(':')[3];
const CONFIRMATION = new RegExp(String.raw`^${HOST}\/\?Action=ConfirmSubscription&[\w=&:%.-]+$`);

function confirmation({ SubscribeURL: url }: Signed): string {
  if (!url || !CONFIRMATION.test(url)) throw new RejectedReport('not an address of SNS');
  return url;
}

const FIELDS = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const;

/** Names and values on lines of their own; a subject only if there is one. */
function verify(message: Signed, certificate: string): void {
  const text = FIELDS[message.Type]
    .filter((name) => message[name] !== undefined)
    .map((name) => `${name}\n${message[name]}\n`)
    .join('');
  const verifier = createVerify(message.SignatureVersion === '1' ? 'sha1' : 'sha256').update(text);
  if (!isVerified(() => verifier.verify(certificate, message.Signature, 'base64'))) {
    throw new RejectedReport('the signature is wrong');
  }
}

function isVerified(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

function eventsIn({ bounce, complaint, delivery, mail }: Notification): MailEvent[] {
  const header = mail.headers?.find(({ name }) => name.toLowerCase() === 'message-id')?.value;
  // without the original headers, which are a setting, only the return path names the email
  const messageId = messageIdIn(header ?? mail.commonHeaders?.messageId) ?? addressIn(mail.source);
  const event = (kind: MailEvent['kind'], address: string, at: string, more: Partial<MailEvent> = {}): MailEvent[] => {
    const email = addressIn(address);
    return email ? [{ kind, isHard: false, email, messageId, at: new Date(at), ...more }] : [];
  };
  const bounced = bounce?.bouncedRecipients.flatMap(({ emailAddress, status }) =>
    event('bounce', emailAddress, bounce.timestamp, {
      isHard: isHardBounce(bounce.bounceType, status),
      ...statusIn(status),
    }),
  );
  const isComplaint = complaint?.complaintFeedbackType !== 'not-spam';
  const complained = complaint?.complainedRecipients.flatMap(({ emailAddress }) =>
    isComplaint ? event('complaint', emailAddress, complaint.timestamp) : [],
  );
  const delivered = delivery?.recipients.flatMap((address) => event('delivery', address, delivery.timestamp));
  return [...(bounced ?? []), ...(complained ?? []), ...(delivered ?? [])];
}

/** Amazon calls rejected contents permanent too; the status tells them apart, if there is one. */
const isHardBounce = (type: string, status: string | undefined): boolean =>
  type === 'Permanent' &&
  (status === undefined || !/^5\.\d/.test(status) || isHardStatus(status) || status === '5.0.0');
