import { escapeHtml } from '../base/html';
import { EDITION_LIMITS } from '../limits/editions';

const LEAVES = new Set(['p', 'h3', 'h4']);
const CONTAINERS = new Set(['ul', 'ol', 'li', 'blockquote']);
const INLINE = new Set(['a', 'strong', 'em', 'u', 'code']);
const SAME: Record<string, string> = { b: 'strong', i: 'em' };

const nameOf = (tag: string) => SAME[tag] ?? tag;
const isInline = (tag: string) => INLINE.has(tag);

export const isTextTag = (tag: string): boolean =>
  tag === 'br' || [LEAVES, CONTAINERS, INLINE].some((tags) => tags.has(nameOf(tag)));

type Open = { tag: string; at: number; hasText: boolean };

/**
 * Writes text as a sequence of well-formed elements: text without a paragraph gets one, lists have items, formats do
 * not repeat inside themselves, and empty elements are left out. `emit` gets each finished element of the top level.
 */
export function createTextWriter(emit: (html: string) => void) {
  const open: Open[] = [];
  let written: string[] = [];

  const inner = () => open.at(-1)?.tag;
  /** Whether the paragraph, heading or item has text already. */
  const isStarted = () => open.findLast(({ tag }) => !isInline(tag))?.hasText ?? false;
  const isOpen = (tag: string) => open.some((entry) => entry.tag === tag);

  function push(tag: string, start = `<${tag}>`): void {
    open.push({ tag, at: written.length, hasText: false });
    written.push(start);
  }

  function pop(): void {
    const { tag, at, hasText } = open.pop()!;
    if (!hasText) {
      const inside = written.splice(at).slice(1);
      // a format of spaces only: the words around it stay apart
      if (isInline(tag)) inside.forEach(append);
    } else {
      if (!isInline(tag)) trimEnd();
      written.push(`</${tag}>`);
    }
    if (open.length > 0) return;
    if (written.length > 0) emit(written.join(''));
    written = [];
  }

  function append(part: string): void {
    const follows = isStarted() && !written.at(-1)?.endsWith(' ');
    const kept = follows ? part : part.replace(isStarted() ? /^ / : /^\s+/, '');
    if (kept) written.push(kept);
  }

  /** Line breaks and spaces at the end of a block. */
  function trimEnd(): void {
    while (written.at(-1) === '<br>' || written.at(-1)?.trim() === '') written.pop();
    const last = written.at(-1);
    if (last && !last.startsWith('<')) written[written.length - 1] = last.trimEnd();
  }

  function closeInline(): void {
    while (isInline(inner() ?? '')) pop();
  }

  /** Ends a paragraph or heading; containers stay open. */
  function closeLeaf(): void {
    closeInline();
    if (LEAVES.has(inner() ?? '')) pop();
  }

  /** Text needs a paragraph, except in an item of a list, where it may have one. */
  function ensureLeaf(): void {
    if (inner() === 'ul' || inner() === 'ol') push('li');
    if (inner() === undefined || inner() === 'blockquote') push('p');
  }

  function openContainer(tag: string): void {
    closeLeaf();
    if (tag === 'li') {
      const item = open.findLastIndex((entry) => entry.tag === 'li');
      const list = open.findLastIndex((entry) => entry.tag === 'ul' || entry.tag === 'ol');
      if (list < 0) push('ul');
      else if (item > list) while (open.length > item) pop();
      else while (open.length > list + 1) pop();
    } else {
      if (open.filter((entry) => entry.tag !== 'li').length >= EDITION_LIMITS.depth) return;
      if (inner() === 'ul' || inner() === 'ol') push('li');
    }
    push(tag);
  }

  return {
    write(text: string): void {
      const spaced = text.replace(/[ \t\r\n]+/g, ' ');
      const isBlank = spaced.trim() === '';
      const isBetween = inner() !== 'li' && CONTAINERS.has(inner() ?? '');
      if (isBlank && (isBetween || !isStarted())) return;
      if (!isBlank) ensureLeaf();
      append(spaced);
      if (isBlank) return;
      for (let i = open.length - 1; i >= 0 && !open[i]!.hasText; i -= 1) open[i]!.hasText = true;
    },

    open(tag: string, href = ''): void {
      const name = nameOf(tag);
      if (name === 'br') {
        if (isStarted()) written.push('<br>');
      } else if (CONTAINERS.has(name)) openContainer(name);
      else if (LEAVES.has(name)) {
        closeLeaf();
        if (inner() === 'ul' || inner() === 'ol') push('li');
        push(name);
      } else if (!isOpen(name) && (name !== 'a' || href)) {
        ensureLeaf();
        push(name, name === 'a' ? `<a href="${escapeHtml(href)}">` : undefined);
      }
    },

    close(tag: string): void {
      const at = open.findLastIndex((entry) => entry.tag === nameOf(tag));
      while (at >= 0 && open.length > at) pop();
    },

    end(): void {
      while (open.length > 0) pop();
    },
  };
}
