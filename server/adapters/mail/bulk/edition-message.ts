import { fillSegment, splitAtFields } from '../../../base/merge-fields';
import { type EditionBody, editionBody } from './edition-body';
import {
  checkAddress,
  checkToken,
  encodeDate,
  encodeMailbox,
  encodePhrase,
  encodeText,
  UnsafeHeader,
} from './header-values';
import type { BulkMessage, Edition, EditionRecipient } from './message';

/** A header as it is sent: the value may have several lines. */
export type HeaderField = readonly [name: string, value: string];
/** Returns the signature's header fields for a message. */
export type SignMessage = (headers: HeaderField[], bodyHash: string) => Promise<HeaderField[]>;

/**
 * Builds an edition once. The returned function adds what differs per recipient; their header and values are encoded
 * only when the sender asks for the bytes. @throws UnsafeHeader
 */
export function composeEdition(edition: Edition, sign?: SignMessage): (recipient: EditionRecipient) => BulkMessage {
  const body = editionBody(edition);
  const shared = sharedHeaders(edition, body);
  const subjectOf = composeSubject(edition);
  const headersOf = (recipient: EditionRecipient): HeaderField[] => [
    ...shared,
    ['To', encodeMailbox(recipient.to, 'To: '.length)],
    ['Subject', subjectOf(recipient.values)],
    ['Message-ID', `<${checkToken(recipient.messageId)}>`],
    ...(edition.idHeader ? [[edition.idHeader, idOf(recipient.messageId)] as const] : []),
    ['List-Unsubscribe', unsubscribeHeader(recipient.unsubscribe)],
  ];
  return (recipient) => ({
    id: recipient.id,
    from: recipient.returnPath ?? edition.returnPath,
    to: recipient.to.address,
    bytes() {
      const headers = headersOf(recipient);
      const pieces = body.fill(recipient.values);
      if (!sign) return writeMessage(headers, pieces);
      return sign(headers, body.hash(pieces)).then((signed) => writeMessage([...signed, ...headers], pieces));
    },
  });
}

function sharedHeaders(edition: Edition, { contentType }: EditionBody): HeaderField[] {
  const { from, replyTo, list, feedbackId, date, isAutomatic, returnPath } = edition;
  checkAddress(returnPath);
  return [
    ['From', encodeMailbox(from, 'From: '.length)],
    ...(replyTo ? [['Reply-To', encodeMailbox(replyTo, 'Reply-To: '.length)] as const] : []),
    ['Date', encodeDate(date)],
    ['List-Id', `${encodePhrase(list.name, 'List-Id: '.length)}\r\n <${checkToken(list.id)}>`.trim()],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    ['Feedback-ID', checkToken(feedbackId)],
    ['Precedence', 'bulk'],
    ...(isAutomatic ? [['Auto-Submitted', 'auto-generated'] as const] : []),
    ['MIME-Version', '1.0'],
    ['Content-Type', contentType.replace('; ', ';\r\n ')],
  ];
}

function composeSubject({ subject, fields }: Edition): (values: EditionRecipient['values']) => string {
  const segments = splitAtFields(subject, fields);
  const fill = (values: EditionRecipient['values']) =>
    encodeText(
      segments
        .map((segment) => (typeof segment === 'string' ? segment : fillSegment(segment, values, (value) => value)))
        .join(''),
      'Subject: '.length,
    );
  if (segments.some((segment) => typeof segment !== 'string')) return fill;
  const once = fill({});
  return () => once;
}

const idOf = (messageId: string) => messageId.slice(0, messageId.lastIndexOf('@'));

function unsubscribeHeader({ url, mailto }: EditionRecipient['unsubscribe']): string {
  if (!/^https?:\/\//.test(url) || !(mailto ?? 'mailto:').startsWith('mailto:')) {
    throw new UnsafeHeader('not an address to unsubscribe at');
  }
  const link = `<${checkToken(url)}>`;
  return mailto === undefined ? link : `${link},\r\n <${checkToken(mailto)}>`;
}

function writeMessage(headers: HeaderField[], body: Buffer[]): Buffer {
  let head = '';
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
  return Buffer.concat([Buffer.from(`${head}\r\n`), ...body]);
}
