import { type ClipboardEvent, useEffect, useRef } from 'react';
import { cursorOffset, setCursorOffset } from './cursor-offset';
import { useFieldSetters } from './form-context';
import { editorHtml, isBlankHtml, sanitizeHtml, toParagraphs } from './rich-text';

/** An editable element whose HTML is a form's field. */
export function useEditor(name: string, value: string) {
  const { setValue } = useFieldSetters(name);
  const element = useRef<HTMLDivElement>(null);
  const written = useRef<string | null>(null);

  // only what comes from elsewhere (a draft, another episode) is put in: the cursor must not jump while one types
  useEffect(() => {
    if (!element.current || value === written.current) return;
    written.current = value;
    element.current.innerHTML = sanitizeHtml(/<[a-z]/i.test(value) ? value : toParagraphs(value));
  }, [value]);

  function changed() {
    if (!element.current) return;
    written.current = editorHtml(element.current);
    setValue(written.current);
  }

  /** The one editing command set that every browser has, undo included. */
  function act(command: string, argument?: string) {
    element.current?.focus();
    document.execCommand(command, false, argument);
    changed();
  }

  /** Browsers move the text into the list, and the cursor to its beginning. */
  function list() {
    const at = element.current ? cursorOffset(element.current) : 0;
    act('insertUnorderedList');
    if (element.current) setCursorOffset(element.current, at);
  }

  function paste(event: ClipboardEvent) {
    event.preventDefault();
    const html = event.clipboardData.getData('text/html');
    act('insertHTML', html ? sanitizeHtml(html) : toParagraphs(event.clipboardData.getData('text/plain')));
  }

  return { element, changed, begin: () => begin(element.current), act, list, paste };
}

/** The first line is a paragraph like all others: a list made of bare text would lose the cursor. */
function begin(editor: HTMLElement | null): void {
  document.execCommand('defaultParagraphSeparator', false, 'p');
  if (!editor || !isBlankHtml(editor.innerHTML)) return;
  editor.innerHTML = '<p><br></p>';
  window.getSelection()?.collapse(editor.firstChild, 0);
}
