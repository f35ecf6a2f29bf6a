import { useCallback, useMemo, useRef, useState } from 'react';
import { correctedCue, joinCues, replaced, type Search, splitCue } from '~/server/transcript/edit-cues';
import { type Glossary, withGlossary } from '~/server/transcript/glossary';
import type { Cue } from '~/server/transcript/model';

/** A passage that keeps its id while it is edited. */
export type Passage = { id: number; cue: Cue };
/** Where the caret goes after a change. */
export type Caret = { id: number; offset: number };

const UNDONE = 100;
/** Letters that are typed within this time are undone together. */
const PAUSE_MS = 1500;

type Steps = { past: Passage[][]; future: Passage[][]; kind: string; at: number };

let nextId = 1;
const toPassage = (cue: Cue): Passage => ({ id: nextId++, cue });

/** The passages of a transcript, and every way in which the editor changes them. */
export function usePassages(initial: Cue[]) {
  const [passages, setPassages] = useState(() => initial.map(toPassage));
  const latest = useRef(passages);
  const steps = useRef<Steps>({ past: [], future: [], kind: '', at: 0 });

  const show = useCallback((next: Passage[]) => {
    latest.current = next;
    setPassages(next);
  }, []);

  const change = useCallback(
    (next: Passage[], kind = '') => {
      const { past, kind: before, at } = steps.current;
      const goesOn = kind !== '' && kind === before && performance.now() - at < PAUSE_MS;
      steps.current = {
        past: goesOn ? past : [...past.slice(1 - UNDONE), latest.current],
        ...{ future: [], kind, at: performance.now() },
      };
      show(next);
    },
    [show],
  );

  const tools = useMemo(() => {
    const indexOf = (id: number) => latest.current.findIndex((passage) => passage.id === id);
    const update = (id: number, to: (cue: Cue) => Cue, kind?: string) =>
      change(
        latest.current.map((passage) => (passage.id === id ? { id, cue: to(passage.cue) } : passage)),
        kind,
      );
    /** In one step. `to` returns the same object for passages that stay. */
    const changeAll = (to: (passage: Passage) => Cue) => {
      const next = latest.current.map((passage) => {
        const cue = to(passage);
        return cue === passage.cue ? passage : { id: passage.id, cue };
      });
      if (next.some((passage, index) => passage !== latest.current[index])) change(next);
    };
    const step = (from: 'past' | 'future', to: 'past' | 'future') => {
      const next = steps.current[from].at(-1);
      if (!next) return;
      const { [from]: left, [to]: other } = steps.current;
      steps.current = { ...steps.current, kind: '', [from]: left.slice(0, -1), [to]: [...other, latest.current] };
      show(next);
    };
    return {
      current: () => latest.current,
      write: (id: number, text: string) => update(id, (cue) => correctedCue(cue, text), `text ${id}`),
      name: (id: number, speaker: string) => update(id, (cue) => ({ ...cue, speaker: speaker || null })),
      accept: (id: number) => update(id, ({ confidence, ...cue }) => cue),
      split(id: number, offset: number): Caret | null {
        const at = indexOf(id);
        const parts = latest.current[at] && splitCue(latest.current[at].cue, offset);
        if (!parts) return null;
        const second = toPassage(parts[1]);
        change(latest.current.toSpliced(at, 1, { id, cue: parts[0] }, second));
        return { id: second.id, offset: 0 };
      },
      /** Joins a passage to the one before it. */
      join(id: number): Caret | null {
        const at = indexOf(id);
        const [first, second] = [latest.current[at - 1], latest.current[at]];
        if (!first || !second) return null;
        if (second.cue.text.trim() === '') {
          change(latest.current.toSpliced(at, 1));
          return { id: first.id, offset: first.cue.text.length };
        }
        const cue = joinCues(first.cue, second.cue);
        if (!cue) return null;
        change(latest.current.toSpliced(at - 1, 2, { id: first.id, cue }));
        return { id: first.id, offset: first.cue.text.length + 1 };
      },
      rename(from: string, to: string) {
        const renamed = ({ id, cue }: Passage) => ({ id, cue: { ...cue, speaker: to || null } });
        change(latest.current.map((passage) => (passage.cue.speaker === from ? renamed(passage) : passage)));
      },
      /** In one passage, or in all. */
      replace(search: Search, replacement: string, only?: number) {
        changeAll(({ id, cue }) => {
          if (only !== undefined && id !== only) return cue;
          const text = replaced(cue.text, search, replacement);
          return text === cue.text ? cue : correctedCue(cue, text);
        });
      },
      correct: (glossary: Glossary) => changeAll(({ cue }) => withGlossary(cue, glossary)),
      /** Shows what the server has; passages with the same words keep their ids, and the caret. */
      take(cues: Cue[]) {
        const known = new Map(latest.current.map((passage) => [keyOf(passage.cue), passage]));
        const used = new Set<number>();
        const next = cues.map((cue) => {
          const same = known.get(keyOf(cue));
          if (!same || used.has(same.id)) return toPassage(cue);
          used.add(same.id);
          return { id: same.id, cue };
        });
        change(next);
        return next;
      },
      undo: () => step('past', 'future'),
      redo: () => step('future', 'past'),
    };
  }, [change, show]);
  return { passages, tools };
}

export type PassageTools = ReturnType<typeof usePassages>['tools'];

const keyOf = ({ startMs, speaker, text }: Cue) => `${startMs} ${speaker} ${text.trim()}`;
