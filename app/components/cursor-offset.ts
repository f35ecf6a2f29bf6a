/** The number of characters before the cursor. */
export function cursorOffset(editor: HTMLElement): number {
  const selection = window.getSelection();
  if (!selection?.focusNode || !editor.contains(selection.focusNode)) return 0;
  const before = document.createRange();
  before.setStart(editor, 0);
  before.setEnd(selection.focusNode, selection.focusOffset);
  return before.toString().length;
}

/** Moves the cursor to a character offset. On an empty line there is no text node to move it in, so it stays. */
export function setCursorOffset(editor: HTMLElement, characters: number): void {
  const selection = window.getSelection();
  if (!(selection?.focusNode instanceof Text)) return;
  const texts = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT);
  let left = characters;
  let text = texts.nextNode();
  while (text && left > (text.textContent ?? '').length) {
    left -= (text.textContent ?? '').length;
    text = texts.nextNode();
  }
  if (text) selection.collapse(text, left);
}
