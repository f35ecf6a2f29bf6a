const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** Lists, and lines that begin with a time, such as chapters: without their lines, they would not be readable. */
const LIST = /<[uo]l\b|(?:<br\s*\/?>|<p>)\s*(?:<a [^>]*>)?\(?\d{1,2}:\d{2}\b/;

/** The beginning of sanitized HTML as plain text, up to the first list, cut at a word boundary. */
export function toExcerpt(html: string, length: number): string {
  const start = html.slice(0, length * 6);
  const list = start.search(LIST);
  const text = (list > 0 ? start.slice(0, list) : start)
    // only blocks separate words: bold text may end in the middle of a word
    .replace(/<\/?(?:(a|b|code|em|i|strong|u)\b)?[^>]*>?/g, (_, inline?: string) => (inline ? '' : ' '))
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ');
  return truncate(text, length);
}

/** The beginning of a plain text in one line, cut at a word boundary. */
export function truncate(words: string, length: number): string {
  // the pattern skips single spaces: replacing each of them took as long as the rest
  const text = words.replace(/\s{2,}|[^\S ]/g, ' ').trim();
  if (text.length <= length) return text;
  const end = text.lastIndexOf(' ', length);
  return `${text.slice(0, end > 0 ? end : length)}…`;
}
