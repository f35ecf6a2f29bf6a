const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML, in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char]!);
}

const ESCAPED = /&(?:amp|lt|gt|quot|#39);/g;
const CHARACTERS = new Map(Object.entries(ESCAPES).map(([char, entity]) => [entity, char]));

/** The text of HTML without tags that `escapeHtml` or the sanitizer has written. */
export function unescapeHtml(html: string): string {
  return html.replace(ESCAPED, (entity) => CHARACTERS.get(entity)!);
}

/** Links in texts may lead to web pages and email addresses only; all others are removed. */
export const isSafeLink = (address: string): boolean => /^(?:https?:\/\/|mailto:)\S+$/i.test(address.trim());

/** Ends at white space, quotes and the characters that HTML escapes, which may already be escaped. */
const WEB_ADDRESS = /\b(?:https?:\/\/|www\.)(?:(?!&(?:lt|gt|quot|#39);)[^\s<>"'])+/gi;
/** Punctuation after an address in a sentence. */
const PUNCTUATION = new Set('.,;:!?)]}»”’…');
const ESCAPED_AMPERSAND = '&amp;';

export type TextPart = { text: string; href: string | null };

/** Splits a text into web addresses and the text between them. Works on plain and on escaped text. */
export function splitAtLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(WEB_ADDRESS)) {
    const address = withoutPunctuation(match[0]);
    const href = address.slice(0, 4).toLowerCase() === 'www.' ? `https://${address}` : address;
    if (!URL.canParse(href)) continue;
    parts.push({ text: text.slice(end, match.index), href: null }, { text: address, href });
    end = match.index + address.length;
  }
  return [...parts, { text: text.slice(end), href: null }].filter((part) => part.text !== '');
}

/** Works backwards: a regular expression would try each of ten thousand dots. Never splits an escaped `&`. */
function withoutPunctuation(address: string): string {
  let end = address.length;
  for (;;) {
    if (address.endsWith(ESCAPED_AMPERSAND, end)) end -= ESCAPED_AMPERSAND.length;
    else if (PUNCTUATION.has(address[end - 1] ?? '')) end -= 1;
    else return address.slice(0, end);
  }
}
