const [CR, LF, DOT] = [13, 10, 46];
const LINE_END = Buffer.from('\r\n');

/**
 * A message as it may be sent: each line ends with CRLF, because servers disagree on what a lone CR or LF means (SMTP
 * smuggling), and the last line has an end. `isStuffed`: for DATA, lines with a dot begin with two (RFC 5321 §4.5.2).
 */
export function toWireBytes(message: Buffer, isStuffed: boolean): { bytes: Buffer; isAscii: boolean } {
  let isAscii = true;
  let isClean = true;
  let previous = LF;
  for (let i = 0; i < message.length; i++) {
    const byte = message[i]!;
    if (byte > 127) isAscii = false;
    if (byte === LF) isClean &&= previous === CR;
    else if (previous === CR) isClean = false;
    if (byte === DOT && previous === LF && isStuffed) isClean = false;
    previous = byte;
  }
  if (isClean && previous === LF && message.length > 0) return { bytes: message, isAscii };
  return { bytes: rewrite(message, isStuffed), isAscii };
}

function rewrite(message: Buffer, isStuffed: boolean): Buffer {
  const lines = message.toString('latin1').split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  const written = lines.map((line) => (isStuffed && line.startsWith('.') ? `.${line}` : line)).join('\r\n');
  return Buffer.concat([Buffer.from(written, 'latin1'), LINE_END]);
}
