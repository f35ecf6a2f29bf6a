import type { Attachment, Email } from 'postal-mime';
import { isHardCode, isHardStatus } from '../base/mail-status';
import { DAYS } from '../base/time';
import { addressIn, type MailEvent, messageIdIn, statusIn } from './mail-event';

type Fields = Map<string, string>;

/** Recipients of one report: ours have one each. */
const MAX_RECIPIENTS = 100;

/**
 * Reads a bounce (RFC 3464) or a complaint (RFC 5965) that has arrived as an email; null for other emails. Anyone can
 * write one: believe it only about a message id that was sent to this address.
 */
export function readReport({ attachments, date }: Email, now: Date): MailEvent[] | null {
  const partOf = (...types: string[]) => textOf(attachments.find(({ mimeType }) => types.includes(mimeType)));
  const original = readFields(partOf('message/rfc822', 'text/rfc822-headers', 'message/global') ?? '');
  const status = partOf('message/delivery-status', 'message/global-delivery-status');
  if (status !== null) return bouncesIn(status, original, dateOf(date, now));
  const feedback = partOf('message/feedback-report');
  return feedback === null ? null : complaintsIn(readFields(feedback), original, dateOf(date, now));
}

function textOf(part: Attachment | undefined): string | null {
  return part ? Buffer.from(part.content as ArrayBuffer).toString() : null;
}

/** One group of fields about the message, then one for each recipient. */
function bouncesIn(text: string, original: Fields, at: Date): MailEvent[] {
  const [, ...recipients] = text.split(/\r?\n[ \t]*\r?\n/).filter((group) => group.trim() !== '');
  return recipients.slice(0, MAX_RECIPIENTS).flatMap((group) => {
    const fields = readFields(group);
    // a forwarded address has bounced, but the original one is on the list
    const email = typedAddress(fields.get('original-recipient')) ?? typedAddress(fields.get('final-recipient'));
    const kind = KINDS[fields.get('action')?.toLowerCase() ?? ''];
    if (!email || !kind) return [];
    const isHard = kind === 'bounce' && isHardFailure(fields);
    const status = kind === 'bounce' ? reasonOf(fields) : {};
    return [{ kind, isHard, email, messageId: messageIdIn(original.get('message-id')), at, ...status }];
  });
}

/** A delayed email may still arrive; what a list or a gateway passes on is unknown. */
const KINDS: Record<string, 'bounce' | 'delivery' | undefined> = { failed: 'bounce', delivered: 'delivery' };

function reasonOf(fields: Fields): { status?: string } {
  const [status, answer] = [fields.get('status'), fields.get('diagnostic-code')];
  return /^5\.0\.0/.test(status ?? '') ? statusIn(answer, status) : statusIn(status, answer);
}

/** A general status says less than the answer of the server. */
function isHardFailure(fields: Fields): boolean {
  const status = /^[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? '';
  if (status !== '' && !/^5\.0\.0$/.test(status)) return isHardStatus(status);
  const [, code, enhanced] =
    /\b([245]\d\d)[ -]+([245]\.\d{1,3}\.\d{1,3})?/.exec(fields.get('diagnostic-code') ?? '') ?? [];
  return enhanced ? isHardStatus(enhanced) : isHardCode(Number(code));
}

function complaintsIn(report: Fields, original: Fields, at: Date): MailEvent[] {
  // `not-spam` takes a complaint back, and others are about the transport
  if (!['abuse', 'fraud', 'opt-out'].includes(report.get('feedback-type')?.toLowerCase() ?? '')) return [];
  const email = addressIn(report.get('original-rcpt-to')) ?? addressIn(original.get('to'));
  return [{ kind: 'complaint', isHard: false, email, messageId: messageIdIn(original.get('message-id')), at }];
}

/** `rfc822; ana@reader.example` */
const typedAddress = (text: string | undefined) => addressIn(text?.replace(/^[^;]*;/, '').trim());

/** Header fields up to the first empty line; the first of a name. */
function readFields(text: string): Fields {
  const fields: Fields = new Map();
  const head = text.replace(/^\s+/, '').split(/\r?\n\r?\n/, 1)[0]!;
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

const OLDEST = DAYS(30);

/** The date of an email is what its sender says: never in the future, and not so old that nobody reports it any more. */
function dateOf(text: string | undefined, now: Date): Date {
  const time = new Date(text ?? Number.NaN).getTime();
  return Number.isNaN(time) ? now : new Date(Math.min(Math.max(time, now.getTime() - OLDEST), now.getTime()));
}
