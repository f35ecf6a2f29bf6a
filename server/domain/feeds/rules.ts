import { escapeHtml } from '../../html';

/** Converts plain text to HTML for a feed description: blank lines become paragraphs, other line breaks `<br>`. */
export function toHtmlParagraphs(text: string): string {
  const paragraphs = escapeHtml(text)
    .split(/\s*\n\s*\n\s*/)
    .filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.map((paragraph) => `<p>${paragraph.trim().replace(/\s*\n\s*/g, '<br>')}</p>`).join('');
}
