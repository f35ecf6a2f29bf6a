import type sanitizeHtml from 'sanitize-html';
import { isSafeLink } from './html';

/** Loaded at first use, because loading it takes a tenth of the time of a cold start. */
export const loadSanitizer = async () => (await import('sanitize-html')).default;

/** The tags of everything that people write in our editor: notes of episodes and newsletters. */
export const RICH_TEXT = {
  allowedTags: ['p', 'br', 'a', 'strong', 'b', 'em', 'i', 'u', 'ul', 'ol', 'li', 'blockquote', 'h3', 'h4', 'code'],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  transformTags: {
    h1: 'h3',
    h2: 'h3',
    h5: 'h4',
    h6: 'h4',
    // relative addresses are removed, because they would lead elsewhere in each app
    a: (tagName, { href = '' }) => ({
      tagName,
      attribs: isSafeLink(href) ? { href, rel: 'nofollow noopener' } : ({} as Record<string, string>),
    }),
  },
} as const satisfies sanitizeHtml.IOptions;

export type Vocabulary = {
  options: sanitizeHtml.IOptions;
  /** Start and end tags that are read; later ones are removed. */
  maxTags: number;
  /** Tags that make a text HTML, in addition to those of rich text. */
  tags?: string[];
};

const TAGS = 'p br a strong b em i u ul ol li blockquote h1 h2 h3 h4 h5 h6 code div span script style'.split(' ');

/** Safe HTML: plain text becomes paragraphs; in HTML, only the allowed tags and attributes remain. */
export async function safeRichText(text: string, { options, maxTags, tags = [] }: Vocabulary): Promise<string> {
  const sanitize = await loadSanitizer();
  const looksLikeHtml = new RegExp(`<(?:${[...TAGS, ...tags].join('|')})\\b`, 'i');
  if (looksLikeHtml.test(text)) return sanitize(withoutSurplusTags(text, maxTags), options).trim();
  // an address in angle brackets would be read as a tag
  const bracketed = text.replace(/<((?:https?:|www\.)[^<>\s]*)>/gi, '&lt;$1&gt;');
  const escaped = sanitize(bracketed, { allowedTags: [], allowedAttributes: {}, disallowedTagsMode: 'escape' });
  return escaped
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${paragraph.trim().replace(/\n/g, '<br>')}</p>`)
    .join('');
}

/** Reading nested tags takes the square of their number, so text keeps the first ones only. */
function withoutSurplusTags(html: string, max: number): string {
  let tags = 0;
  return html.replace(/<\/?[a-z][^<>]*>?/gi, (tag) => {
    tags += 1;
    return tags <= max ? tag : ' ';
  });
}
