import { unescapeHtml } from '../base/html';
import type { Edition, EditionPart } from './model';
import { type Shown, shownBlocks } from './shown-blocks';

/** An edition as plain text, for clients that show no HTML. Links lead straight to their targets. */
export function renderText(edition: Edition, part: EditionPart): string {
  const { title, publication, links, words, isTracked } = edition;
  const { name, header, footer } = publication;
  const content = shownBlocks(edition, part).map((block) => textOf(block));
  const end = [
    footer,
    isTracked ? words.tracked : words.untracked,
    links.view ? `${words.view}: ${links.view}` : '',
    `${words.unsubscribe}: ${links.unsubscribe}`,
  ];
  const parts = [name, title, header, ...content, '--', ...end];
  return `${parts.filter((text) => text !== '').join('\n\n')}\n`;
}

function textOf(block: Shown): string {
  if (block.kind === 'text') return plainText(block.html);
  if (block.kind === 'picture') return block.alt && `[${block.alt}]`;
  if (block.kind === 'divider') return '* * *';
  if (block.kind === 'button') return `${block.label}: ${block.href}`;
  if (block.kind === 'episode') return `${block.card.title}\n${block.note}\n${block.card.href}`;
  return `${block.text}\n${block.label}: ${block.href}`;
}

type Container = { tag: string; number: number; isFresh: boolean };

/** The text of one element, as our reader writes it: with marks of lists and quotations, and addresses after links. */
function plainText(html: string): string {
  const open: Container[] = [];
  const paragraphs: string[] = [];
  let line = '';
  let href = '';
  let label = '';

  function end(): void {
    if (line.trim() !== '') paragraphs.push(marked(line.trim(), open));
    line = '';
  }

  for (const token of html.split(/(<[^>]*>)/)) {
    const [, slash, name, address] = /^<(\/?)(\w+)(?: href="([^"]*)")?/.exec(token) ?? [];
    if (name === undefined) {
      line += unescapeHtml(token);
      label += unescapeHtml(token);
    } else if (name === 'br') line += '\n';
    else if (name === 'a' && !slash) {
      href = unescapeHtml(address ?? '');
      label = '';
    } else if (name === 'a') line += href && href !== label && href !== `mailto:${label}` ? ` (${href})` : '';
    else if (/^(?:ul|ol|li|blockquote|p|h3|h4)$/.test(name)) {
      end();
      if (slash && /^(?:ul|ol|li|blockquote)$/.test(name)) open.pop();
      else if (!slash) openContainer(name, open);
    }
  }
  end();
  return paragraphs.join(/^<[uo]l>/.test(html) ? '\n' : '\n\n');
}

function openContainer(tag: string, open: Container[]): void {
  if (tag === 'li') {
    const list = open.at(-1)!;
    list.number += 1;
    open.push({ tag, number: list.tag === 'ol' ? list.number : 0, isFresh: true });
  } else if (tag === 'ul' || tag === 'ol' || tag === 'blockquote') open.push({ tag, number: 0, isFresh: false });
}

/** The first line of an item has its bullet or number; others are indented. */
function marked(text: string, open: Container[]): string {
  let first = '';
  let others = '';
  for (const container of open) {
    const mark =
      container.tag === 'blockquote'
        ? '> '
        : container.tag === 'li'
          ? container.number
            ? `${container.number}. `
            : '- '
          : '';
    const rest = container.tag === 'li' ? ' '.repeat(mark.length) : mark;
    first += container.isFresh || container.tag !== 'li' ? mark : rest;
    others += rest;
    container.isFresh = false;
  }
  return text
    .split('\n')
    .map((line, i) => `${i === 0 ? first : others}${line.trim()}`)
    .join('\n');
}
