import { type KeyboardEvent, type RefObject, type SyntheticEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { caretIn, isAtEdge, putCaret } from './caret';
import { secondsAt, textOf } from './follow-words';
import type { Caret, Passage, PassageTools } from './use-passages';

type Input = {
  list: RefObject<HTMLElement>;
  passages: Passage[];
  tools: PassageTools;
  seek: (seconds: number) => void;
};

const idOf = (target: EventTarget) =>
  Number((target as Element).closest<HTMLElement>('[data-passage]')?.dataset.passage ?? Number.NaN);
const editedText = (target: EventTarget) => (target as Element).closest<HTMLElement>('[contenteditable]');

/** Typing, splitting, joining and seeking in the list of passages, with one listener of each kind for all rows. */
export function useListEvents({ list, passages, tools, seek }: Input) {
  const caret = useRef<Caret | null>(null);
  useLayoutEffect(() => {
    const text = caret.current && textOf(caret.current.id);
    if (text) putCaret(text, caret.current!.offset);
    caret.current = null;
  }, [passages]);

  const find = (id: number) => tools.current().find((passage) => passage.id === id);
  const place = (next: Caret | null) => {
    caret.current = next;
  };

  function splitHere(text: HTMLElement) {
    const at = caretIn(text);
    if (at?.isCollapsed) place(tools.split(idOf(text), at.offset));
  }

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    // React has no event that tells which change a browser is about to make
    const before = (event: InputEvent) => {
      const text = editedText(event.target!);
      if (!text) return;
      if (event.inputType === 'insertParagraph' || event.inputType === 'insertLineBreak') splitHere(text);
      else if (event.inputType === 'historyUndo') tools.undo();
      else if (event.inputType === 'historyRedo') tools.redo();
      else return;
      event.preventDefault();
    };
    element.addEventListener('beforeinput', before);
    return () => element.removeEventListener('beforeinput', before);
  }, [list, tools]);

  /** Joins passages where a key would delete what is between them. */
  function joinAt(event: KeyboardEvent, text: HTMLElement) {
    const at = caretIn(text);
    const id = idOf(text);
    const isEnd = event.key === 'Delete';
    if (!at?.isCollapsed || at.offset !== (isEnd ? text.textContent!.length : 0)) return;
    const all = tools.current();
    const second = isEnd ? all[all.findIndex((passage) => passage.id === id) + 1]?.id : id;
    if (second === undefined) return;
    event.preventDefault();
    place(tools.join(second));
  }

  function moveFrom(event: KeyboardEvent, text: HTMLElement) {
    const isUp = event.key === 'ArrowUp';
    if (event.shiftKey || !isAtEdge(text, isUp ? 'first' : 'last')) return;
    const all = tools.current();
    const at = all.findIndex(({ id }) => id === idOf(text));
    const neighbour = all[at + (isUp ? -1 : 1)];
    const next = neighbour && textOf(neighbour.id);
    if (!next) return;
    event.preventDefault();
    putCaret(next, isUp ? next.textContent!.length : 0);
  }

  return {
    place,
    onInput({ target }: SyntheticEvent) {
      const text = editedText(target);
      if (text) tools.write(idOf(text), text.textContent ?? '');
    },
    onKeyDown(event: KeyboardEvent) {
      const target = event.target as HTMLElement;
      const text = editedText(target);
      if (event.nativeEvent.isComposing) return;
      if (!text && event.key === 'Enter' && target.dataset.act === 'speaker') target.blur();
      else if (text && (event.key === 'Backspace' || event.key === 'Delete')) joinAt(event, text);
      else if (text && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) moveFrom(event, text);
    },
    onBlur({ target }: SyntheticEvent) {
      const { dataset, value } = target as HTMLInputElement;
      const passage = find(idOf(target));
      if (dataset.act === 'speaker' && passage && value.trim() !== (passage.cue.speaker ?? ''))
        tools.name(passage.id, value.trim().replace(/\s+/g, ' '));
    },
    onClick({ target }: SyntheticEvent) {
      const passage = find(idOf(target));
      const { act } = ((target as Element).closest<HTMLElement>('[data-act]') ?? { dataset: {} as DOMStringMap })
        .dataset;
      if (!passage) return;
      if (act === 'accept') tools.accept(passage.id);
      if (act === 'seek' && passage.cue.startMs !== null) seek(passage.cue.startMs / 1000);
      const text = editedText(target);
      const at = text && caretIn(text);
      const seconds = at?.isCollapsed ? secondsAt(passage, at.offset) : null;
      if (seconds !== null) seek(seconds);
    },
  };
}
