import { isSafeLink } from '~/server/base/html';

/** The editor handles longer texts itself: it drops tags that it does not know. */
const MAX_CLEANED = 500_000;

/**
 * Converts HTML from a word processor's clipboard (Word, Google Docs, LibreOffice) to the few tags of our editor. It
 * drops styles and empty paragraphs, turns styles into emphasis tags, and rebuilds Word's lists, which Word writes as
 * paragraphs. It does not sanitise: the editor and the server do, by allowing only their own tags.
 */
export function cleanPastedHtml(html: string): string {
  if (html.length > MAX_CLEANED) return html;
  const fragment = /<!--StartFragment-->([\s\S]*)<!--EndFragment-->/.exec(html)?.[1] ?? html;
  const listed = /mso-list/i.test(fragment) ? withWordLists(fragment) : fragment;
  return (
    simplify(listed)
      .replace(/ ?(<\/?(?:p|h3|h4|ul|ol|li|blockquote)>) ?/g, '$1')
      // Google Docs writes empty lines between blocks
      .replace(/(<\/(?:p|h3|h4|ul|ol)>)(?:<br>)+/g, '$1')
      .replace(/<(p|h3|h4|strong|em|u|li)>(?:\s|&nbsp;|\u00a0|<br>)*<\/\1>/g, '')
      .trim()
  );
}

/** The editor's name for a tag. Tags without one are dropped, and their text is kept. */
const NAMES: Record<string, string> = {
  ...{ p: 'p', div: 'p', pre: 'p', tr: 'p', br: 'br', blockquote: 'blockquote', code: 'code' },
  ...{ ul: 'ul', ol: 'ol', li: 'li', h1: 'h3', h2: 'h3', h3: 'h3', h4: 'h4', h5: 'h4', h6: 'h4' },
  ...{ b: 'strong', strong: 'strong', i: 'em', em: 'em', u: 'u', a: 'a' },
};
const WITH_CONTENT = /<(style|script|title|xml|head|template|iframe|object|svg|math|noscript)\b[\s\S]*?<\/\1>/gi;
const TOKEN = /<(\/?)([a-z][\w:-]*)([^>]*)>|<[!?][^>]*>|[^<]+|</gi;

type Open = { tag: string; closing: string };

function simplify(html: string): string {
  const open: Open[] = [];
  let result = '';
  const bare = html.replace(/<!--[\s\S]*?-->/g, '').replace(WITH_CONTENT, '');
  for (const [token, slash, written = '', attributes = ''] of bare.matchAll(TOKEN)) {
    const tag = written.toLowerCase();
    if (!tag) result += token.startsWith('<') ? (token === '<' ? '&lt;' : '') : token.replace(/\s+/g, ' ');
    else if (tag === 'br') result += /interchange/.test(attributes) ? '' : '<br>';
    else if (tag === 'td' || tag === 'th') result += slash ? ' ' : '';
    else if (slash) result += closeTag(open, tag);
    else if (!VOID.has(tag)) result += openTag(open, tag, attributes);
  }
  return result;
}

const VOID = new Set(['meta', 'link', 'img', 'hr', 'col', 'input', 'base', 'wbr']);

function openTag(open: Open[], tag: string, attributes: string): string {
  const tags = ourTags(tag, attributes, open);
  open.push({ tag, closing: [...tags].reverse().map(closingOf).join('') });
  return tags.map((name) => (name === 'a' ? linkOf(attributes) : `<${name}>`)).join('');
}

const closingOf = (name: string) => `</${name}>`;

/** Closes the elements that the tag opened, and any element inside that is still open. */
function closeTag(open: Open[], tag: string): string {
  const at = open.findLastIndex((entry) => entry.tag === tag);
  if (at < 0) return '';
  const closed = open.splice(at).reverse();
  return closed.map(({ closing }) => closing).join('');
}

/** Google Docs and LibreOffice write emphasis as styles; Google wraps everything in a `b` of normal weight. */
function ourTags(tag: string, attributes: string, open: Open[]): string[] {
  const style = /style\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes);
  const css = (style?.[1] ?? style?.[2] ?? '').toLowerCase();
  const name = NAMES[tag];
  if (name === 'a') return isSafeLink(hrefOf(attributes)) ? ['a'] : [];
  if (name === 'strong' && /(?:^|;)\s*font-weight:\s*normal/.test(css)) return [];
  if (name) return [name];
  if (tag !== 'span' && tag !== 'font') return [];
  const isHeading = open.some((entry) => /^h[1-6]$/.test(entry.tag));
  const isLink = open.some((entry) => entry.tag === 'a');
  return [
    ...(/font-weight:\s*(?:bold|[6-9]00)/.test(css) && !isHeading ? ['strong'] : []),
    ...(/font-style:\s*italic/.test(css) ? ['em'] : []),
    ...(/text-decoration[\w-]*:[^;]*underline/.test(css) && !isLink ? ['u'] : []),
  ];
}

function hrefOf(attributes: string): string {
  const href = /href\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes);
  return realAddress(href?.[1] ?? href?.[2] ?? '');
}

/** Google Docs and Outlook copy some links as addresses of their own that redirect: readers get where they lead. */
function realAddress(written: string): string {
  const address = written.replace(/&amp;/g, '&');
  if (!URL.canParse(address)) return written;
  const { hostname, pathname, searchParams } = new URL(address);
  const isGoogle = hostname === 'www.google.com' && pathname === '/url';
  const isOutlook = hostname.endsWith('.safelinks.protection.outlook.com');
  const target = isGoogle ? searchParams.get('q') : isOutlook ? searchParams.get('url') : null;
  return target && isSafeLink(target) ? target.replace(/&/g, '&amp;') : written;
}

const linkOf = (attributes: string) => `<a href="${hrefOf(attributes).replace(/"/g, '&quot;')}">`;

// ── Word's lists ──
const PARAGRAPH = /<p\b([^>]*)>([\s\S]*?)<\/p>/gi;
/** The bullet or number, as Word marks it for programs without lists. */
const MARKER = /<!--\[if !supportLists\]-->([\s\S]*?)<!--\[endif\]-->|<!\[if !supportLists\]>([\s\S]*?)<!\[endif\]>/i;

type Level = 'ul' | 'ol';

/** Word's list items are paragraphs with `mso-list:l0 level2 lfo1`; paragraphs in a row become nested lists. */
function withWordLists(html: string): string {
  const levels: Level[] = [];
  let result = '';
  let end = 0;
  for (const match of html.matchAll(PARAGRAPH)) {
    const [paragraph, attributes = '', content = ''] = match;
    const between = html.slice(end, match.index);
    end = match.index + paragraph.length;
    const level = Number(/mso-list:[^;"']*level(\d)/i.exec(attributes)?.[1] ?? 0);
    if (level === 0 || between.trim() !== '') result += closeLevels(levels, 0);
    result += between + (level === 0 ? paragraph : listItem(levels, level, content));
  }
  return result + closeLevels(levels, 0) + html.slice(end);
}

function listItem(levels: Level[], level: number, content: string): string {
  const marker = MARKER.exec(content);
  const sign = (marker?.[1] ?? marker?.[2] ?? '').replace(/<[^>]*>|&nbsp;|\s/g, '');
  const kind: Level = /^\(?(?:\d+|[a-z]{1,4})[.)]$/i.test(sign) ? 'ol' : 'ul';
  let result = closeLevels(levels, level);
  if (levels.length === level) result += '</li>';
  for (; levels.length < level; levels.push(kind)) result += `<${kind}>${levels.length < level - 1 ? '<li>' : ''}`;
  return `${result}<li>${content.replace(MARKER, '')}`;
}

/** Ends lists that are deeper than `level`, each with its last item. */
function closeLevels(levels: Level[], level: number): string {
  let result = '';
  while (levels.length > level) result += `</li></${levels.pop()}>`;
  return result;
}
