import type sanitizeHtml from 'sanitize-html';
import { escapeHtml } from '../base/html';
import { RICH_TEXT, safeRichText } from '../base/safe-html';
import { EDITION_LIMITS } from '../limits/editions';
import type { Block } from './model';
import { isStoredPicture } from './picture-path';
import { readBlocks } from './read-blocks';
import { cleanCharacters } from './safe-characters';

/** Elements of word processors and web pages that contain blocks. */
const WRAPPERS = ['tr', 'pre', 'section', 'article', 'figure', 'figcaption', 'header', 'footer', 'main'];
/** Their text is no text of the edition. */
const WITH_CONTENT =
  'script style title xml template iframe object svg math noscript noembed select textarea option'.split(' ');

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...RICH_TEXT.allowedTags, 'img', 'hr', 'div'],
  nonTextTags: WITH_CONTENT,
  allowedAttributes: {
    ...RICH_TEXT.allowedAttributes,
    img: ['src', 'alt', 'width', 'height'],
    hr: ['data-free-end'],
    p: ['data-button'],
    div: ['data-episode'],
  },
  allowedSchemes: RICH_TEXT.allowedSchemes,
  transformTags: {
    ...RICH_TEXT.transformTags,
    ...Object.fromEntries(WRAPPERS.map((tag) => [tag, 'p'])),
    div: (_, attribs) => ({ tagName: attribs['data-episode'] === undefined ? 'p' : 'div', attribs }),
    // Google Docs wraps everything in a `b` of normal weight, and writes emphasis as styles of spans
    b: (_, attribs) => ({ tagName: /font-weight:\s*normal/.test(attribs.style ?? '') ? 'span' : 'strong', attribs }),
    span: (_, attribs) => ({ tagName: emphasisOf(attribs.style ?? ''), attribs }),
  },
};

function emphasisOf(style: string): string {
  if (/font-weight:\s*(?:bold|[6-9]00)/.test(style)) return 'strong';
  return /font-style:\s*italic/.test(style) ? 'em' : 'span';
}

const VOCABULARY = {
  options: OPTIONS,
  maxTags: EDITION_LIMITS.tags,
  tags: [...WRAPPERS, 'hr', 'img', 'table', 'html', 'body', 'meta', 'font', 'o:p'],
};

/**
 * The content of an edition in its closed vocabulary, one block per line, so that it can be edited as text. Plain text
 * becomes paragraphs. Cleaning again changes nothing. The tags, with all their attributes:
 *
 * - `p h3 h4 ul ol li blockquote br strong em u code`, `a href`: as in notes of episodes
 * - `img src alt width height`: one of our own pictures
 * - `hr`: a line; `hr data-free-end`: what follows is for paying subscribers (the first one counts)
 * - `<p data-button="custom|share|subscribe|donate"><a href="…">Label</a></p>`: only `custom` has an address
 * - `<div data-episode="123"></div>`: the card of an episode
 *
 * @param isPicture whether a root-relative address is one of our pictures; others are removed
 * @throws RangeError if it is longer than `EDITION_LIMITS.contentLength`: check the input first
 */
export async function cleanEdition(html: string, isPicture = isStoredPicture): Promise<string> {
  if (html.length > EDITION_LIMITS.contentLength) throw new RangeError('the content of an edition is too long');
  const safe = await safeRichText(cleanCharacters(html), VOCABULARY);
  return readBlocks(safe, isPicture).map(writeBlock).join('\n');
}

function writeBlock(block: Block): string {
  if (block.kind === 'text') return block.html;
  if (block.kind === 'divider') return '<hr>';
  if (block.kind === 'free_end') return '<hr data-free-end>';
  if (block.kind === 'episode') return `<div data-episode="${block.id}"></div>`;
  if (block.kind === 'button') {
    const href = block.href && ` href="${escapeHtml(block.href)}"`;
    return `<p data-button="${block.action}"><a${href}>${escapeHtml(block.label)}</a></p>`;
  }
  const sizes = (['width', 'height'] as const).map((side) => (block[side] ? ` ${side}="${block[side]}"` : ''));
  return `<img src="${escapeHtml(block.src)}" alt="${escapeHtml(block.alt)}"${sizes.join('')}>`;
}
