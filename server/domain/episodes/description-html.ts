import type sanitizeHtml from 'sanitize-html';
import { splitAtLinks, type TextPart } from '../../html';

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'a', 'strong', 'b', 'em', 'i', 'u', 'ul', 'ol', 'li', 'blockquote', 'h3', 'h4', 'code'],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  transformTags: {
    a: (tagName, attributes) => ({ tagName, attribs: { ...attributes, rel: 'nofollow noopener' } }),
  },
};

/** Loaded at first use, because loading it takes a tenth of a cold start. */
const loadSanitizer = async () => (await import('sanitize-html')).default;

/**
 * Makes links of the web addresses in sanitized HTML, outside existing links. Doors link stored descriptions, so that
 * those of former versions have links too (decision 0097).
 */
export function linkAddresses(html: string): string {
  if (!MAY_HAVE_ADDRESSES.test(html)) return html;
  let isInLink = false;
  return html
    .split(/(<[^>]*>)/)
    .map((part) => {
      if (part.startsWith('<')) isInLink = /^<a\b/.test(part) || (isInLink && part !== '</a>');
      return part.startsWith('<') || isInLink ? part : splitAtLinks(part).map(toHtml).join('');
    })
    .join('');
}

/** Most descriptions have none, and feeds have a thousand of them. */
const MAY_HAVE_ADDRESSES = /https?:\/\/|www\./i;

const toHtml = ({ text, href }: TextPart) => (href ? `<a href="${href}" rel="nofollow noopener">${text}</a>` : text);

const LOOKS_LIKE_HTML = /<(?:p|br|a|strong|b|em|i|u|ul|ol|li|blockquote|h[1-6]|code|div|span|script|style)\b/i;

/** Safe HTML: plain text becomes paragraphs; in HTML, only the allowed tags and attributes remain. */
export async function descriptionHtml(text: string): Promise<string> {
  const sanitize = await loadSanitizer();
  if (LOOKS_LIKE_HTML.test(text)) return sanitize(text, ALLOWED).trim();
  // an address in angle brackets would be read as a tag
  const bracketed = text.replace(/<((?:https?:|www\.)[^<>\s]*)>/gi, '&lt;$1&gt;');
  const escaped = sanitize(bracketed, { allowedTags: [], allowedAttributes: {}, disallowedTagsMode: 'escape' });
  return escaped
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${paragraph.trim().replace(/\n/g, '<br>')}</p>`)
    .join('');
}

/** A description as plain text, for search engines, feed summaries and emails. */
export async function descriptionText(html: string): Promise<string> {
  const sanitize = await loadSanitizer();
  const spaced = html.replace(/<(?:br|\/p|\/li|\/h[1-6])\b[^>]*>/gi, '$& ');
  const bare = sanitize(spaced, { allowedTags: [], allowedAttributes: {} });
  return bare
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}
