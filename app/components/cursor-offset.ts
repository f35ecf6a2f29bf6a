/** The number of characters before the cursor. */
export function cursorOffset(editor: HTMLElement): number {
  const selection = window.getSelection();
  if (!selection?.focusNode || !editor.contains(selection.focusNode)) return 0;
  const range = document.createRange();
  range.setStart(editor, 0);
  range.setEnd(selection.focusNode, selection.focusOffset);
  return range.toString().length;
}

/** Moves the cursor to a character offset. On an empty line there is no text node to move it in, so it stays. */
export function setCursorOffset(editor: HTMLElement, characters: number): void {
  const selection = window.getSelection();
  if (!(selection?.focusNode instanceof Text)) return;
  const texts = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT);
  let remaining = characters;
  let text = texts.nextNode();
  while (text && remaining > (text.textContent ?? '').length) {
    remaining -= (text.textContent ?? '').length;
    text = texts.nextNode();
  }
  if (text) selection.collapse(text, remaining);
}
