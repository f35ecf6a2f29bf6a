import { type ClipboardEvent, useEffect, useRef } from 'react';
import { cursorOffset, setCursorOffset } from './cursor-offset';
import { useFieldSetters } from './form-context';
import { editorHtml, isBlankHtml, sanitizeHtml, toParagraphs } from './rich-text';

/** A contenteditable element whose HTML is the value of a form field. */
export function useEditor(name: string, value: string) {
  const { setValue } = useFieldSetters(name);
  const element = useRef<HTMLDivElement>(null);
  const lastHtml = useRef<string | null>(null);

  // writes only external changes (a draft, another episode), because writing moves the cursor while the user types
  useEffect(() => {
    if (!element.current || value === lastHtml.current) return;
    lastHtml.current = value;
    element.current.innerHTML = sanitizeHtml(/<[a-z]/i.test(value) ? value : toParagraphs(value));
  }, [value]);

  function changed() {
    if (!element.current) return;
    lastHtml.current = editorHtml(element.current);
    setValue(lastHtml.current);
  }

  /** `execCommand` is deprecated, but it is the only editing API that every browser supports with undo. */
  function act(command: string, argument?: string) {
    element.current?.focus();
    document.execCommand(command, false, argument);
    changed();
  }

  /** Browsers move the cursor to the beginning of the list, so its offset is restored. */
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

/** Puts the first line into a paragraph: a list made from a bare text node would lose the cursor. */
function begin(editor: HTMLElement | null): void {
  document.execCommand('defaultParagraphSeparator', false, 'p');
  if (!editor || !isBlankHtml(editor.innerHTML)) return;
  editor.innerHTML = '<p><br></p>';
  window.getSelection()?.collapse(editor.firstChild, 0);
}
