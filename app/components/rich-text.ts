import { escapeHtml } from '~/server/base/html';

/** Tags that the editor creates. The server sanitizes again with its own list. */
const ALLOWED_TAGS = new Set([
  'P',
  'BR',
  'STRONG',
  'B',
  'EM',
  'I',
  'U',
  'A',
  'UL',
  'OL',
  'LI',
  'BLOCKQUOTE',
  'H3',
  'H4',
  'CODE',
]);
const REMOVED_TAGS = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'OBJECT', 'SVG', 'MATH']);
const SAFE_LINK = /^(?:https?:|mailto:)/i;

/** Removes everything that could execute from a draft's or the server's HTML. DOMParser runs no scripts. */
export function sanitizeHtml(html: string): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  for (const element of [...parsed.body.querySelectorAll('*')]) sanitizeElement(element);
  return parsed.body.innerHTML.trim();
}

function sanitizeElement(element: Element): void {
  if (REMOVED_TAGS.has(element.tagName)) element.remove();
  else if (!ALLOWED_TAGS.has(element.tagName))
    element.replaceWith(...(element.tagName === 'DIV' ? toParagraph(element) : element.childNodes));
  else stripAttributes(element);
}

function stripAttributes(element: Element): void {
  const href = element.tagName === 'A' ? element.getAttribute('href') : null;
  for (const { name } of [...element.attributes]) element.removeAttribute(name);
  if (href && SAFE_LINK.test(href)) element.setAttribute('href', href);
}

function toParagraph(element: Element): Node[] {
  const paragraph = element.ownerDocument.createElement('p');
  paragraph.append(...element.childNodes);
  return [paragraph];
}

/** Converts plain text to paragraphs and line breaks. */
export function toParagraphs(text: string): string {
  const paragraphs = escapeHtml(text.replace(/\r\n?/g, '\n'))
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '');
  if (paragraphs.length === 1) return paragraphs[0]!.trim().replace(/\n/g, '<br>');
  return paragraphs.map((part) => `<p>${part.trim().replace(/\n/g, '<br>')}</p>`).join('');
}
