import type { Email } from 'postal-mime';
import { type DmarcReport, readDmarcReport } from './dmarc-report';
import { checkSize, type MailEvent } from './mail-event';
import { signerOf } from './read-authentication';
import { readReport } from './read-report';
import { type Unzip, unpackReport } from './unpack-report';

/**
 * What an email to the address of bounces is. `tagged`: it reports nothing, and these are the addresses with a tag that
 * it was sent to. `signedBy`: the domain whose signature of the email the receiving server has verified.
 */
export type ReceivedMessage =
  | { kind: 'events'; events: MailEvent[] }
  | { kind: 'dmarc'; report: DmarcReport; signedBy: string | null }
  | { kind: 'tagged'; addresses: string[] }
  | { kind: 'other' };

const MAX_DEPTH = 20;
const MAX_ATTACHMENTS = 5;
/** Headers with long lists of addresses, and thousands of parts, cost seconds to read. Reports have a few of each. */
const MAX_HEADERS = 64 * 1024;
const MAX_BOUNDARIES = 500;

/**
 * Reads an email with its headers (RFC 5322). Whatever it contains, it does not throw. @param server the id of the receiving server in
 * its results of authentication; null if it writes none. @throws RejectedReport if too large
 */
export async function readMessage(
  message: Buffer,
  { now, unzip, server = null }: { now: Date; unzip: Unzip; server?: string | null },
): Promise<ReceivedMessage> {
  checkSize(message);
  const email = isCostly(message) ? null : await parse(message);
  if (!email) return { kind: 'other' };
  const addresses = taggedAddresses(email);
  const events = readReport(email, now);
  if (events !== null) {
    // the return path names the email even if the report leaves its headers out
    const [returnPath = null] = addresses;
    return { kind: 'events', events: events.map((event) => ({ ...event, messageId: returnPath ?? event.messageId })) };
  }
  const report = await dmarcReportIn(email, now, unzip);
  if (report) return { kind: 'dmarc', report, signedBy: server === null ? null : signerOf(email.headers, server) };
  return addresses.length > 0 ? { kind: 'tagged', addresses } : { kind: 'other' };
}

function isCostly(message: Buffer): boolean {
  const start = message.subarray(0, MAX_HEADERS + 4).toString('latin1');
  if (message.length > MAX_HEADERS && !/\r?\n\r?\n/.test(start)) return true;
  let boundaries = 0;
  for (let at = message.indexOf('\n--'); at >= 0; at = message.indexOf('\n--', at + 1)) boundaries += 1;
  return boundaries > MAX_BOUNDARIES;
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
const MAX_RECIPIENT_HEADERS = 20;
const MAX_HEADER = 2000;
const MAX_ADDRESSES = 5;
/** The part before the plus has none itself, so that no header makes the search go back and forth. */
const TAGGED_ADDRESS = /[^\s<>,;:"@+]{1,64}\+[^\s<>,;:"@]{1,64}@[\w.-]{1,255}/g;

function taggedAddresses({ headers }: Email): string[] {
  const found = headers
    .filter(({ key }) => RECIPIENT_HEADERS.has(key))
    .slice(0, MAX_RECIPIENT_HEADERS)
    .flatMap(({ value }) => value.slice(0, MAX_HEADER).match(TAGGED_ADDRESS) ?? []);
  return [...new Set(found)].slice(0, MAX_ADDRESSES);
}

/** Only the first attachment that can be a report is read: each of them costs as much as a bomb may. */
async function dmarcReportIn({ attachments }: Email, now: Date, unzip: Unzip): Promise<DmarcReport | null> {
  for (const { content } of attachments.slice(0, MAX_ATTACHMENTS)) {
    const xml = await unpackReport(Buffer.from(content as ArrayBuffer), unzip);
    if (xml !== null) return readDmarcReport(xml, now);
  }
  return null;
}
