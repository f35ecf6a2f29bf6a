/** Characters before the selection in a text that is edited, and whether nothing is selected; null outside of it. */
export function caretIn(text: HTMLElement): { offset: number; isCollapsed: boolean } | null {
  const selection = getSelection();
  if (!selection?.rangeCount || !text.contains(selection.anchorNode)) return null;
  const range = selection.getRangeAt(0);
  const before = document.createRange();
  before.selectNodeContents(text);
  before.setEnd(range.startContainer, range.startOffset);
  return { offset: before.toString().length, isCollapsed: range.collapsed };
}

export function putCaret(text: HTMLElement, offset: number): void {
  text.focus();
  const node = text.firstChild;
  getSelection()?.collapse(node ?? text, node ? Math.min(offset, node.textContent?.length ?? 0) : 0);
}

/** Whether the caret is on the first or the last line of a text, so that an arrow leaves it. */
export function isAtEdge(text: HTMLElement, edge: 'first' | 'last'): boolean {
  const range = getSelection()?.rangeCount ? getSelection()!.getRangeAt(0) : null;
  const caret = range?.getClientRects()[0];
  if (!range || !caret) return text.textContent === '' || text.getClientRects()[0]!.height < TWO_LINES;
  const box = text.getBoundingClientRect();
  return edge === 'first' ? caret.top - box.top < caret.height : box.bottom - caret.bottom < caret.height;
}

const TWO_LINES = 48;

/** The range of some characters of a text that is edited; null if it has changed since. */
export function rangeIn(text: HTMLElement, from: number, to: number): Range | null {
  const node = text.firstChild;
  if (!node || to > (node.textContent?.length ?? 0)) return null;
  const range = document.createRange();
  range.setStart(node, from);
  range.setEnd(node, to);
  return range;
}

/** Marks ranges without changing the document; browsers without highlights show only the passage. */
export function highlight(name: string, range: Range | null): void {
  if ('highlights' in CSS) CSS.highlights.set(name, new Highlight(...(range ? [range] : [])));
}
