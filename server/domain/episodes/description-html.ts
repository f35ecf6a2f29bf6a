import sanitizeHtml from 'sanitize-html';

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'a', 'strong', 'b', 'em', 'i', 'u', 'ul', 'ol', 'li', 'blockquote', 'h3', 'h4', 'code'],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'nofollow noopener' }) },
};

const LOOKS_LIKE_HTML = /<(?:p|br|a|strong|b|em|i|u|ul|ol|li|blockquote|h[1-6]|code|div|span|script|style)\b/i;

/** Safe HTML: plain text becomes paragraphs; in HTML, only the allowed tags and attributes remain. */
export function descriptionHtml(text: string): string {
  if (LOOKS_LIKE_HTML.test(text)) return sanitizeHtml(text, ALLOWED).trim();
  const escaped = sanitizeHtml(text, { allowedTags: [], allowedAttributes: {}, disallowedTagsMode: 'escape' });
  return escaped
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${paragraph.trim().replace(/\n/g, '<br>')}</p>`)
    .join('');
}

/** A description as plain text, for search engines, feed summaries and emails. */
export function descriptionText(html: string): string {
  const spaced = html.replace(/<(?:br|\/p|\/li|\/h[1-6])\b[^>]*>/gi, '$& ');
  const bare = sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {} });
  return bare
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}
