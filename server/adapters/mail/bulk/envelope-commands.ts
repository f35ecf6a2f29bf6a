import { checkAddress } from './header-values';
import type { BulkMessage, BulkResult } from './message';
import type { Offers } from './smtp-session';
import { toWireBytes } from './wire-bytes';

/** What is sent for one email. `body` is written in these slices. */
export type Transaction = { mail: string; rcpt: string; body: Buffer[] };

/** A server that reads slowly gets the end of a large email only after the rest. */
const SLICE_BYTES = 64 * 1024;
const END_OF_DATA = Buffer.from('.\r\n');
const PRINTABLE = /^[\x21-\x7e]*$/;

/** The commands for an email, or the result of one that can't be sent to this server. */
export function prepareTransaction(message: BulkMessage, given: Buffer, offers: Offers): Transaction | BulkResult {
  const reject = (status: string, text: string): BulkResult => ({ id: message.id, state: 'bounced', status, text });
  let [from, to] = ['', ''];
  try {
    from = message.from === '' ? '' : checkAddress(message.from);
    to = checkAddress(message.to);
  } catch {
    return { ...reject('5.1.3', 'the address is not valid'), isHard: true };
  }
  const { bytes, isAscii } = toWireBytes(given, !offers.chunking);
  const needsUtf8 = !PRINTABLE.test(from + to);
  if (needsUtf8 && !offers.utf8) return reject('5.6.7', 'the mail server does not support this address');
  if (!isAscii && !offers.eightBit && !offers.utf8) return reject('5.6.3', 'the mail server supports only ASCII');
  if (offers.size !== null && bytes.length > offers.size) return reject('5.3.4', 'the email is too large');
  const mail = [
    `MAIL FROM:<${from}>`,
    ...(offers.size !== null ? [`SIZE=${bytes.length}`] : []),
    ...(!isAscii && offers.eightBit ? ['BODY=8BITMIME'] : []),
    ...(needsUtf8 ? ['SMTPUTF8'] : []),
    ...(offers.dsn ? ['RET=HDRS', `ENVID=${toXtext(message.id)}`] : []),
  ].join(' ');
  const rcpt = `RCPT TO:<${to}>${offers.dsn ? ' NOTIFY=FAILURE' : ''}`;
  return { mail: `${mail}\r\n`, rcpt: `${rcpt}\r\n`, body: bodySlices(bytes, offers) };
}

/** BDAT announces the length (RFC 3030); DATA ends with a line of one dot. */
function bodySlices(bytes: Buffer, { chunking }: Offers): Buffer[] {
  const whole = chunking
    ? Buffer.concat([Buffer.from(`BDAT ${bytes.length} LAST\r\n`), bytes])
    : Buffer.concat([bytes, END_OF_DATA]);
  if (whole.length <= SLICE_BYTES) return [whole];
  return Array.from({ length: Math.ceil(whole.length / SLICE_BYTES) }, (_, i) =>
    whole.subarray(i * SLICE_BYTES, (i + 1) * SLICE_BYTES),
  );
}

/** RFC 3461 §4: at most 100 characters before encoding. */
function toXtext(text: string): string {
  return text
    .slice(0, 100)
    .replace(/[^!-*,-<>-~]/g, (char) => `+${(char.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`);
}
