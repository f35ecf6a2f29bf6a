export type SmtpReply = {
  code: number;
  /** Enhanced status code (RFC 2034). */
  status: string | null;
  /** All lines, shortened. */
  text: string;
  lines: string[];
};

/** Thrown if a server does not speak SMTP, or answers what was not asked. */
export class ProtocolError extends Error {}

/** RFC 5321 §4.5.3.1.5 allows 512. */
const MAX_LINE_BYTES = 4096;
/** More lines are read and forgotten. */
const MAX_LINES = 64;
const MAX_TEXT = 500;
const LF = 10;

/** Splits what a server sends into replies (RFC 5321 §4.2). `add` throws a ProtocolError. */
export function createReplyReader(onReply: (reply: SmtpReply) => void) {
  let rest: Buffer = Buffer.alloc(0);
  let lines: string[] = [];
  let openCode: number | null = null;

  function addLine(line: string): void {
    const [, digits, mark, text = ''] = /^([2-5]\d\d)(?:([ -])(.*))?$/.exec(line) ?? [];
    const code = Number(digits);
    if (!digits || (openCode !== null && code !== openCode)) throw new ProtocolError('the answer is not SMTP');
    if (lines.length < MAX_LINES) lines.push(text);
    openCode = code;
    if (mark === '-') return;
    const all = lines;
    openCode = null;
    lines = [];
    onReply(toReply(code, all));
  }

  return {
    add(chunk: Buffer): void {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = rest.indexOf(LF); end >= 0; end = rest.indexOf(LF, start)) {
        // some servers end lines without CR
        const line = rest.toString('utf8', start, rest[end - 1] === 13 ? end - 1 : end);
        start = end + 1;
        addLine(line);
      }
      rest = rest.subarray(start);
      if (rest.length > MAX_LINE_BYTES) throw new ProtocolError('a line of the answer is too long');
    },
    /** Whether there is nothing after the last reply. */
    isEmpty: () => rest.length === 0 && openCode === null,
  };
}

function toReply(code: number, lines: string[]): SmtpReply {
  const [, status] = /^([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(lines[0] ?? '') ?? [];
  const text = lines
    .join(' ')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT)
    .toWellFormed();
  // a status of another class contradicts the code, which every client reads
  return { code, status: status?.startsWith(String(code)[0]!) ? status : null, text, lines };
}
