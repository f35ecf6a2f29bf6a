import { escapeHtml } from '../base/html';
import { fillSegment, splitAtFields } from '../base/merge-fields';
import { type Edition, type EditionPart, MERGE_FIELDS, type PictureBlock } from './model';
import { type Shown, shownBlocks } from './shown-blocks';

/**
 * The content for our own pages (archive and preview), without title and footer. It has no styles: pages style the
 * elements, and `data-button`, `data-card` and `data-invitation`. Readers of a page have no name, so each field shows
 * its fallback.
 */
export function renderWeb(edition: Edition, part: EditionPart): string {
  const html = shownBlocks(edition, part)
    .map((block) => renderBlock(block, edition))
    .join('\n');
  return withFallbacks(html);
}

/** A text without its fields, for example a title in the archive. */
export function withFallbacks(text: string): string {
  const segments = splitAtFields(text, MERGE_FIELDS);
  return segments.map((part) => (typeof part === 'string' ? part : fillSegment(part, {}, escapeHtml))).join('');
}

function renderBlock(block: Shown, edition: Edition): string {
  if (block.kind === 'text') return withDirections(block.html);
  if (block.kind === 'picture') return renderPicture(block);
  if (block.kind === 'divider') return '<hr>';
  if (block.kind === 'button') return `<p data-button="">${link(block)}</p>`;
  if (block.kind === 'episode') return renderCard(block, edition);
  return `<div data-invitation=""><p dir="auto">${escapeHtml(block.text)}</p><p data-button="">${link(block)}</p></div>`;
}

const link = ({ label, href }: { label: string; href: string }) =>
  `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`;

const withDirections = (html: string) =>
  html.replace(/<(p|h3|h4|ul|ol)>/g, '<$1 dir="auto">').replaceAll('<a href=', '<a rel="nofollow noopener" href=');

function renderPicture({ src, alt, width, height }: PictureBlock): string {
  const sizes = width && height ? ` width="${width}" height="${height}"` : '';
  return `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}"${sizes} loading="lazy" decoding="async">`;
}

function renderCard({ card, note }: Extract<Shown, { kind: 'episode' }>, { words }: Edition): string {
  const cover = card.cover ? `<img src="${escapeHtml(card.cover)}" alt="" width="96" height="96" loading="lazy">` : '';
  const title = `<p dir="auto"><a href="${escapeHtml(card.href)}">${escapeHtml(card.title)}</a></p>`;
  const listen = `<p>${link({ label: `▶ ${words.listen}`, href: card.href })}</p>`;
  return `<div data-card="">${cover}<div>${title}<p dir="auto">${escapeHtml(note)}</p>${listen}</div></div>`;
}
