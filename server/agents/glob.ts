/**
 * A pattern of the table, as operators write it: `*` for any text, `#` for digits, all else for itself. There are no
 * regular expressions in the table, so that no pattern can take more than linear time.
 */
export type Glob = {
  matches(text: string): boolean;
  /** Characters that stand for themselves. Of several patterns, the one with the most is the most exact. */
  literals: number;
};

/** @throws SyntaxError if `#` follows no letter or sign, which would take more than linear time, or if a digit follows */
export function compileGlob(pattern: string): Glob {
  if (/(?:^|[*#\d])#/.test(pattern)) throw new SyntaxError(`“#” must follow a letter or a sign: ${pattern}`);
  if (/#\**\d/.test(pattern)) throw new SyntaxError(`“#” takes all digits, so none may follow it: ${pattern}`);
  const segments = pattern.split('*');
  const first = segments.shift()!;
  const last = segments.pop();
  const literals = pattern.replace(/[*#]/g, '').length;
  if (last === undefined) return { literals, matches: (text) => endOf(text, first, 0) === text.length };
  return {
    literals,
    matches(text) {
      let at = endOf(text, first, 0);
      for (const segment of segments) {
        if (at < 0) return false;
        at = endAfter(text, segment, at);
      }
      return at >= 0 && endsWith(text, last, at);
    },
  };
}

/** Where a segment that starts at `start` ends; -1 if it is not there. */
function endOf(text: string, segment: string, start: number): number {
  if (!segment.includes('#')) return text.startsWith(segment, start) ? start + segment.length : -1;
  let at = start;
  for (const sign of segment) {
    if (sign !== '#') {
      if (!text.startsWith(sign, at)) return -1;
      at += sign.length;
      continue;
    }
    const from = at;
    while (isDigit(text, at)) at++;
    if (at === from) return -1;
  }
  return at;
}

/** Where the first segment from `start` on ends. Runs of digits do not overlap, so each character is read twice. */
function endAfter(text: string, segment: string, start: number): number {
  const head = segment.split('#', 1)[0]!;
  for (let at = text.indexOf(head, start); at >= 0; at = text.indexOf(head, at + 1)) {
    const end = endOf(text, segment, at);
    if (end >= 0) return end;
  }
  return -1;
}

function endsWith(text: string, segment: string, start: number): boolean {
  if (!segment.includes('#')) return text.length - segment.length >= start && text.endsWith(segment);
  const head = segment.split('#', 1)[0]!;
  for (let at = text.indexOf(head, start); at >= 0; at = text.indexOf(head, at + 1))
    if (endOf(text, segment, at) === text.length) return true;
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}
