import { AGENT_LIMITS } from '../limits/agents';

/** Bytes that Node.js hands over as one character each, because headers are Latin-1. */
const BYTES_ONLY = /^[\0-\xff]*[\x80-\xff][\0-\xff]*$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The beginning of a user agent in small letters, with percent signs and UTF-8 decoded: apps write their names so. */
export function readableAgent(userAgent: string): string {
  const raw = userAgent.slice(0, AGENT_LIMITS.readLength);
  const text = raw.includes('%') ? raw.replace(/(?:%[\da-f]{2})+/gi, decodePercents) : raw;
  return (BYTES_ONLY.test(text) ? decodeBytes(text) : text).normalize('NFC').toLowerCase().trim();
}

/**
 * The name at the beginning, before a version or a comment: `overcast` of `Overcast/3.0 (+http://overcast.fm/)`,
 * `radio.de` of `radio.de 5.6.22 (iPad)`, and `ahrefsbot` of `Mozilla/5.0 (compatible; AhrefsBot/7.0)`.
 */
export function productOf(readable: string): string {
  const named = readable.replace(/^mozilla\/[\d.]+ (?:\(compatible; |(?=[a-z]))/, '');
  const end = named.search(/[/();,[<{|]|\s(?=v?\d|[-+<"(])/);
  return (end < 0 ? named : named.slice(0, end)).trim();
}

/** Whether no client writes such a user agent: it is empty, too long, or has control characters or no word. */
export function isMalformed(userAgent: string, readable: string): boolean {
  if (userAgent.length > AGENT_LIMITS.longestLength || !/[\p{L}\p{N}]/u.test(readable)) return true;
  return [...readable].some((sign) => (sign < ' ' && sign !== '\t') || sign === '\x7f');
}

function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decodeBytes(text: string): string {
  try {
    return utf8.decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}
