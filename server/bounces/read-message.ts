import type { Email } from 'postal-mime';
import { type DmarcReport, readDmarcReport } from './dmarc-report';
import { checkSize, type MailEvent } from './mail-event';
import { readReport } from './read-report';
import { type Unzip, unpackReport } from './unpack-report';

/**
 * What an email to the address of bounces is. `tagged`: it reports nothing, and these are the addresses with a tag that
 * it was sent to.
 */
export type ReceivedMessage =
  | { kind: 'events'; events: MailEvent[] }
  | { kind: 'dmarc'; report: DmarcReport }
  | { kind: 'tagged'; addresses: string[] }
  | { kind: 'other' };

const MAX_DEPTH = 20;
const MAX_ATTACHMENTS = 5;

/** Reads an email with its headers (RFC 5322). Whatever it contains, it does not throw. @throws RejectedReport if too large */
export async function readMessage(
  message: Buffer,
  { now, unzip }: { now: Date; unzip: Unzip },
): Promise<ReceivedMessage> {
  checkSize(message);
  const email = await parse(message);
  if (!email) return { kind: 'other' };
  const addresses = taggedAddresses(email);
  const events = readReport(email, now);
  if (events !== null) {
    // the return path names the email even if the report leaves its headers out
    const [returnPath = null] = addresses;
    return { kind: 'events', events: events.map((event) => ({ ...event, messageId: returnPath ?? event.messageId })) };
  }
  const report = await dmarcReportIn(email, now, unzip);
  if (report) return { kind: 'dmarc', report };
  return addresses.length > 0 ? { kind: 'tagged', addresses } : { kind: 'other' };
}

/** Loads the parser with the first message. */
async function parse(message: Buffer): Promise<Email | null> {
  const { default: PostalMime } = await import('postal-mime');
  try {
    return await PostalMime.parse(message, {
      forceRfc822Attachments: true,
      attachmentEncoding: 'arraybuffer',
      maxNestingDepth: MAX_DEPTH,
    });
  } catch {
    return null;
  }
}

const RECIPIENT_HEADERS = new Set(['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to']);
const MAX_HEADER = 2000;
const MAX_ADDRESSES = 5;

function taggedAddresses({ headers }: Email): string[] {
  const values = headers.filter(({ key }) => RECIPIENT_HEADERS.has(key)).map(({ value }) => value.slice(0, MAX_HEADER));
  const found = values.flatMap((value) => value.match(/[^\s<>,;:"@]{1,64}\+[^\s<>,;:"@]{1,64}@[\w.-]{1,255}/g) ?? []);
  return [...new Set(found)].slice(0, MAX_ADDRESSES);
}

/** The first attachment that is one. */
async function dmarcReportIn({ attachments }: Email, now: Date, unzip: Unzip): Promise<DmarcReport | null> {
  for (const { content } of attachments.slice(0, MAX_ATTACHMENTS)) {
    const xml = await unpackReport(Buffer.from(content as ArrayBuffer), unzip);
    const report = xml === null ? null : readDmarcReport(xml, now);
    if (report) return report;
  }
  return null;
}
