import { createPublicKey } from 'node:crypto';
import type { z } from 'zod';
import { SettingError } from './setting-error';
import { address, text } from './setting-types';

/** Longer local parts leave no room for the tags behind the plus sign (RFC 5321 §4.5.3.1.1). */
const MAILBOX = /^[a-z0-9._-]{1,16}@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;
const MIN_SECRET = 20;

export const inboundMailShape = {
  BOUNCE_MAILBOX_URL: address('imap:', 'imaps:').optional(),
  BOUNCE_MAILBOX_DONE: text
    .regex(/^[^\r\n"\\]{1,100}$/, 'must be keep, delete or the name of a folder')
    .default('keep'),
  BOUNCE_ADDRESS: text
    .regex(MAILBOX, 'must be an address such as bounces@altavoz.example, with at most 16 characters before the @')
    .toLowerCase()
    .optional(),
  BOUNCE_SERVER_ID: text
    .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i, 'must be a name such as mx.altavoz.example')
    .toLowerCase()
    .optional(),
  MAIL_WEBHOOK_SECRET: text.min(MIN_SECRET, `must have at least ${MIN_SECRET} characters`).optional(),
  SES_TOPIC_ARN: text
    .regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+$/, 'must be the ARN of an SNS topic')
    .optional(),
  POSTMARK_WEBHOOK_LOGIN: text
    .regex(/^[^:\s]+:\S{12,}$/, 'must be user:password, with 12 characters or more')
    .optional(),
  MAILGUN_SIGNING_KEY: text.optional(),
  SENDGRID_PUBLIC_KEY: text
    .refine(isPublicKey, 'must be the verification key that SendGrid shows, in Base64')
    .optional(),
};
type InboundMailValues = z.infer<z.ZodObject<typeof inboundMailShape>>;

/** `url` names the folder in its path. `done`: what becomes of a message that was read; `keep` marks it as seen. */
export type MailboxSettings = { url: string; done: 'keep' | 'delete' | { folder: string } };

/** Each null if it is not set; then its address answers 404. */
export type InboundMailSettings = {
  /** Where bounces and emails to unsubscribe arrive; null if nobody reads them. */
  address: string | null;
  mailbox: MailboxSettings | null;
  /** With which the receiving server begins its results of authentication (RFC 8601). */
  serverId: string | null;
  /** With which a mail server hands over messages. */
  messageSecret: string | null;
  ses: { topicArn: string } | null;
  postmark: { user: string; password: string } | null;
  mailgun: { signingKey: string } | null;
  sendgrid: { publicKey: string } | null;
};

/** @param domain of our senders' addresses */
export function inboundMailSettings(values: InboundMailValues, domain: string): InboundMailSettings {
  const { BOUNCE_MAILBOX_URL: url, BOUNCE_MAILBOX_DONE: done, BOUNCE_ADDRESS: given } = values;
  const messageSecret = values.MAIL_WEBHOOK_SECRET ?? null;
  const isRead = Boolean(url) || messageSecret !== null;
  if (given && !isRead)
    throw new SettingError('BOUNCE_ADDRESS is only valid with BOUNCE_MAILBOX_URL or MAIL_WEBHOOK_SECRET');
  const { SES_TOPIC_ARN: topicArn, MAILGUN_SIGNING_KEY: signingKey, SENDGRID_PUBLIC_KEY: publicKey } = values;
  return {
    address: isRead ? (given ?? `bounces@${domain}`) : null,
    mailbox: url ? { url, done: done === 'keep' || done === 'delete' ? done : { folder: done } } : null,
    serverId: values.BOUNCE_SERVER_ID ?? null,
    messageSecret,
    ses: topicArn ? { topicArn } : null,
    postmark: postmarkLogin(values.POSTMARK_WEBHOOK_LOGIN),
    mailgun: signingKey ? { signingKey } : null,
    sendgrid: publicKey ? { publicKey } : null,
  };
}

function postmarkLogin(login: string | undefined): InboundMailSettings['postmark'] {
  const [user, ...password] = login?.split(':') ?? [];
  return user ? { user, password: password.join(':') } : null;
}

function isPublicKey(key: string): boolean {
  try {
    return Boolean(createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }));
  } catch {
    return false;
  }
}
