import { useEffect, useRef, useState } from 'react';
import { draftKey, readDraft, removeDraft, writeDraft } from '~/app/features/studio/drafts/draft-store';
import { useRetry } from '~/app/lib/offline';
import { useStudio } from '~/app/lib/studio-context';
import { useChange } from '~/app/lib/trpc';
import { errorCode, isTemporary, serverMessage } from '~/app/lib/trpc-errors';
import type { KindName } from '~/server/domain/products/kinds';
import { applyChanges } from '~/server/transcript/edit-cues';
import type { Cue } from '~/server/transcript/model';
import { changesBetween, firstPart, type PassageChange, rebase } from './passage-changes';
import type { Passage, PassageTools } from './use-passages';

/** `failed`: another attempt is made soon. `refused`: the server says why it can't store the changes. */
export type SaveState = 'unchanged' | 'waiting' | 'saving' | 'saved' | 'failed' | 'refused';
export type Loaded = { version: Date; cues: Cue[] };

const DELAY_MS = 1500;
const DRAFT_DELAY_MS = 300;

type Input = {
  episode: { id: number; kind: KindName };
  loaded: Loaded;
  passages: Passage[];
  tools: PassageTools;
  load: () => Promise<Loaded>;
};

/**
 * Saves the passages that changed, a moment after the last change; one request at a time, because each names the version
 * that the last one has answered. Until they are saved, the browser keeps them, too.
 */
export function useSaving({ episode: { id, kind }, loaded, passages, tools, load }: Input) {
  const { user } = useStudio();
  const key = draftKey(user.id, `transcript-${id}`);
  const [state, setState] = useState<SaveState>('unchanged');
  const [problem, setProblem] = useState<string | null>(null);
  const [lost, setLost] = useState<Cue[]>([]);
  const saved = useRef(loaded);
  const running = useRef<Promise<void> | null>(null);
  const { changeAsync } = useChange('transcripts.save');

  /** Passages whose text was emptied are removed. */
  const cuesNow = () => tools.current().flatMap(({ cue }) => (cue.text.trim() === '' ? [] : [cue]));
  const unsaved = () => changesBetween(saved.current.cues, cuesNow());

  /** Puts changes into the version that the server has now. */
  function bring(changes: Omit<PassageChange, 'at' | 'remove'>[], theirs: Loaded) {
    const rebased = rebase(changes, theirs.cues);
    saved.current = theirs;
    const cues = applyChanges(theirs.cues, rebased.changes);
    // changes whose places overlap there can't both be made
    tools.take(cues ?? theirs.cues);
    const left = cues ? rebased.lost : changes.flatMap((change) => change.cues);
    if (left.length > 0) setLost((former) => [...former, ...left]);
  }

  async function saveAll(): Promise<void> {
    setProblem(null);
    for (let part = firstPart(unsaved()); part.length > 0; part = firstPart(unsaved())) {
      setState('saving');
      const { cues, version: editOf } = saved.current;
      try {
        const { version } = await changeAsync({ id, kind, editOf, changes: part } as never);
        saved.current = { version, cues: applyChanges(cues, part)! };
      } catch (error) {
        if (!(await isOvercome(error))) return;
      }
    }
    setState('saved');
  }

  /** Whether the next attempt may succeed at once. */
  async function isOvercome(error: unknown): Promise<boolean> {
    try {
      if (errorCode(error) !== 'episode.already_changed') throw error;
      const theirs = await load();
      bring(unsaved(), theirs);
      return true;
    } catch (found) {
      setState(isTemporary(found) ? 'failed' : 'refused');
      setProblem(isTemporary(found) ? null : serverMessage(found));
      return false;
    }
  }

  function save(): Promise<void> {
    running.current ??= saveAll().finally(() => {
      running.current = null;
    });
    return running.current;
  }

  const latest = useRef({ save, unsaved });
  latest.current = { save, unsaved };

  const openedKey = useRef('');
  useEffect(() => {
    if (openedKey.current === key) return;
    openedKey.current = key;
    const draft = readDraft(localStorage, key, Date.now())?.values.changes;
    if (draft) bring(JSON.parse(draft) as PassageChange[], saved.current);
  }, [key]);

  useEffect(() => {
    const isSame = latest.current.unsaved().length === 0;
    // an undo may have brought the saved text back
    if (isSame) return setState((current) => (current === 'waiting' ? 'saved' : current));
    setState((current) => (current === 'saving' ? current : 'waiting'));
    const timer = setTimeout(() => void latest.current.save(), DELAY_MS);
    return () => clearTimeout(timer);
  }, [passages]);

  useEffect(() => {
    const timer = setTimeout(() => {
      const changes: Partial<PassageChange>[] = latest.current.unsaved();
      if (lost.length > 0) changes.push({ was: [], after: NOWHERE, cues: lost });
      if (changes.length === 0) return removeDraft(localStorage, key);
      writeDraft(localStorage, key, { changes: JSON.stringify(changes) }, {}, Date.now());
    }, DRAFT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [passages, state, lost, key]);

  useRetry(state === 'failed', () => void latest.current.save());

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current.unsaved().length > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('beforeunload', ask);
      void latest.current.save();
    };
  }, []);

  return {
    ...{ state, problem, lost, save },
    forgetLost: () => setLost([]),
    /** Shows another version, such as the restored one. */
    replaceBy(theirs: Loaded) {
      saved.current = theirs;
      tools.take(theirs.cues);
    },
    version: () => saved.current.version,
    isSettled: () => unsaved().length === 0,
  };
}

/** A passage that no transcript has: what stays unsaved is shown again after a reload. */
const NOWHERE: Cue = { startMs: -1, endMs: -1, speaker: null, text: '' };
