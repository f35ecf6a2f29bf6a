import { isAscii } from 'node:buffer';

const LINE_END = '\r\n';

/**
 * A message as it may be sent: each line ends with CRLF, because servers disagree on what a lone CR or LF means (SMTP
 * smuggling), and the last line has an end. `isStuffed`: for DATA, lines with a dot begin with two (RFC 5321 §4.5.2).
 */
export function toWireBytes(message: Buffer, isStuffed: boolean): { bytes: Buffer; isAscii: boolean } {
  const text = message.toString('latin1');
  const hasDots = isStuffed && (text.startsWith('.') || text.includes('\n.'));
  const bytes = !hasDots && isWritten(text) ? message : rewrite(text, isStuffed);
  return { bytes, isAscii: isAscii(message) };
}

/**
 * Whether each line ends with CRLF: each LF comes after a CR, and there are no other ones. Searches for the next one take a
 * fifth of the time of a look at each byte, which was a third of sending an email.
 */
function isWritten(text: string): boolean {
  let ends = 0;
  let at = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
    if (text[end - 1] !== '\r') return false;
    ends += 1;
    at = end + 1;
  }
  for (let found = text.indexOf('\r'); found !== -1; found = text.indexOf('\r', found + 1)) ends -= 1;
  return ends === 0 && at === text.length && at > 0;
}

function rewrite(text: string, isStuffed: boolean): Buffer {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  const written = lines.map((line) => (isStuffed && line.startsWith('.') ? `.${line}` : line)).join(LINE_END);
  return Buffer.from(`${written}${LINE_END}`, 'latin1');
}
