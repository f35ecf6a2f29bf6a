import { isSafeLink, unescapeHtml } from '../base/html';
import { EDITION_LIMITS } from '../limits/editions';
import { type Block, BUTTON_ACTIONS, type ButtonBlock } from './model';
import { cleanCharacters } from './safe-characters';
import { createTextWriter, isTextTag } from './text-writer';

const TOKENS = /(<[^>]*>)/;
const TAG = /^<(\/?)(\w+)/;
const ATTRIBUTE = /([\w-]+)(?:="([^"]*)")?/g;

type IsPicture = (src: string) => boolean;

/**
 * The blocks of sanitized HTML, in any nesting: pictures, lines, buttons and cards end the text around them. Takes
 * linear time. @param isPicture whether a root-relative address is one of our pictures
 */
export function readBlocks(html: string, isPicture: IsPicture = () => true): Block[] {
  const blocks: Block[] = [];
  const text = createTextWriter((element) => blocks.push({ kind: 'text', html: element }));
  let button: ButtonBlock | null = null;
  for (const token of html.split(TOKENS)) {
    const [, slash, name = ''] = TAG.exec(token) ?? [];
    if (button && name === 'p') {
      blocks.push(...finished(button));
      button = null;
      if (slash) continue;
    }
    if (button) readIntoButton(button, token);
    else if (!name) text.write(cleanCharacters(token));
    else if (slash) text.close(name);
    else if (isTextTag(name) && !isButton(token)) text.open(name, safeLink(attributesOf(token)));
    else {
      text.end();
      const block = blockOf(name, attributesOf(token), isPicture);
      if (block?.kind === 'button') button = block;
      else if (block && !isSecondEnd(block, blocks)) blocks.push(block);
    }
  }
  text.end();
  return button ? [...blocks, ...finished(button)] : blocks;
}

const isButton = (token: string) => token.startsWith('<p ') && actionOf(attributesOf(token)) !== undefined;
const actionOf = (attributes: Attributes) => BUTTON_ACTIONS.find((known) => known === attributes['data-button']);

const isSecondEnd = ({ kind }: Block, before: Block[]) =>
  kind === 'free_end' && before.some((block) => block.kind === 'free_end');

/** A button has the text of all its elements, and the address of its first link. */
function readIntoButton(button: ButtonBlock, token: string): void {
  if (!token.startsWith('<')) button.label += cleanCharacters(unescapeHtml(token));
  else if (token.startsWith('<a ') && button.action === 'custom') button.href ||= safeLink(attributesOf(token));
}

function finished(button: ButtonBlock): Block[] {
  const label = shortened(button.label, EDITION_LIMITS.labelLength);
  return label || button.href || button.action !== 'custom' ? [{ ...button, label }] : [];
}

type Attributes = Partial<Record<string, string>>;

function attributesOf(token: string): Attributes {
  const written = token.replace(TAG, '').matchAll(ATTRIBUTE);
  return Object.fromEntries([...written].map(([, name, value = '']) => [name!, cleanCharacters(unescapeHtml(value))]));
}

/** A merge field in an address would tell its page who reads, so braces are encoded. */
const safeLink = ({ href = '' }: Attributes): string =>
  isSafeLink(href) ? href.trim().replaceAll('{', '%7B').replaceAll('}', '%7D') : '';

function blockOf(name: string, attributes: Attributes, isPicture: IsPicture): Block | null {
  const { src = '', alt = '', width, height } = attributes;
  if (name === 'hr') return { kind: attributes['data-free-end'] === undefined ? 'divider' : 'free_end' };
  if (name === 'img' && src && isPicture(src)) {
    const { altLength, pictureWidth, pictureHeight } = EDITION_LIMITS;
    const sizes = { width: pixels(width, pictureWidth), height: pixels(height, pictureHeight) };
    return { kind: 'picture', src, alt: shortened(alt, altLength), ...sizes };
  }
  const action = actionOf(attributes);
  if (name === 'p' && action) return { kind: 'button', action, label: '', href: '' };
  const id = /^[1-9]\d{0,14}$/.exec(attributes['data-episode'] ?? '')?.[0];
  return name === 'div' && id ? { kind: 'episode', id: Number(id) } : null;
}

/** Without surplus spaces; cutting must not divide a character. */
function shortened(text: string, length: number): string {
  const trimmed = text.replace(/\s+/g, ' ').trim();
  return trimmed.length <= length
    ? trimmed
    : trimmed
        .slice(0, length)
        .toWellFormed()
        .replace(/\ufffd$/, '')
        .trim();
}

function pixels(written: string | undefined, max: number): number | null {
  const number = /^\d{1,5}$/.test(written ?? '') ? Number(written) : 0;
  return number > 0 && number <= max ? number : null;
}
