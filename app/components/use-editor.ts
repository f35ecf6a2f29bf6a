import { type ClipboardEvent, useEffect, useRef } from 'react';
import { cursorIn, putCursor } from './cursor';
import { useFieldSetters } from './form-context';
import { isBlankHtml, paragraphsOf, safeHtml, writtenIn } from './rich-text';

/** An editable element whose HTML is a form's field. */
export function useEditor(name: string, value: string) {
  const { set } = useFieldSetters(name);
  const element = useRef<HTMLDivElement>(null);
  const written = useRef<string | null>(null);

  // only what comes from elsewhere (a draft, another episode) is put in: the cursor must not jump while one types
  useEffect(() => {
    if (!element.current || value === written.current) return;
    written.current = value;
    element.current.innerHTML = safeHtml(/<[a-z]/i.test(value) ? value : paragraphsOf(value));
  }, [value]);

  function changed() {
    if (!element.current) return;
    written.current = writtenIn(element.current);
    set(written.current);
  }

  /** The one editing command set that every browser has, undo included. */
  function act(command: string, argument?: string) {
    element.current?.focus();
    document.execCommand(command, false, argument);
    changed();
  }

  /** Browsers move the text into the list, and the cursor to its beginning. */
  function list() {
    const at = element.current ? cursorIn(element.current) : 0;
    act('insertUnorderedList');
    if (element.current) putCursor(element.current, at);
  }

  function paste(event: ClipboardEvent) {
    event.preventDefault();
    const html = event.clipboardData.getData('text/html');
    act('insertHTML', html ? safeHtml(html) : paragraphsOf(event.clipboardData.getData('text/plain')));
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
