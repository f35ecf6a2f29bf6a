import { useLocation, useNavigation } from '@remix-run/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { DONE } from '~/app/features/studio/done';
import { draftKey, readDraft, removeDraft, removeOldDrafts, writeDraft } from './draft-store';

const PAUSE_MS = 300;

type Values = Record<string, string>;
type Input = {
  userId: number;
  form: string;
  values: Values;
  /** What the server rendered the form with: only what differs is kept. */
  initial: Values;
  /** Called once after hydration with what was kept. */
  restore: (values: Values) => void;
  onTaken?: () => void;
};

/**
 * Keeps what is typed into a form across errors, reloads and log-ins, until the server took it.
 */
export function useDraft(input: Input) {
  const { userId, form, values, initial, restore, onTaken } = input;
  const key = draftKey(userId, form);
  const [restoredAt, setRestoredAt] = useState<Date | null>(null);
  const latest = useRef({ values, initial, restore, onTaken });
  latest.current = { values, initial, restore, onTaken };
  const ended = useRef(false);
  const opened = useRef('');

  useEffect(() => {
    if (opened.current === key) return;
    opened.current = key;
    removeOldDrafts(localStorage, Date.now());
    const draft = readDraft(localStorage, key, Date.now());
    if (!draft) return;
    latest.current.restore(draft.values);
    setRestoredAt(new Date(draft.savedAt));
  }, [key]);

  const save = useCallback(() => {
    if (!ended.current) writeDraft(localStorage, key, latest.current.values, latest.current.initial, Date.now());
  }, [key]);

  useEffect(() => {
    const timer = setTimeout(save, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [values, save]);

  useEffect(() => {
    window.addEventListener('pagehide', save);
    return () => {
      window.removeEventListener('pagehide', save);
      save();
    };
  }, [save]);

  const forget = useCallback(() => {
    removeDraft(localStorage, key);
    setRestoredAt(null);
  }, [key]);
  const end = useCallback(() => {
    ended.current = true;
    forget();
    latest.current.onTaken?.();
  }, [forget]);

  useTaken(end);
  return { restoredAt, forget, dismiss: () => setRestoredAt(null) };
}

/** An action that redirects took the form, unless it redirects to the log-in; one that answers here shows what is wrong. */
function useTaken(then: () => void) {
  const here = useLocation().pathname;
  const { state, formMethod, formAction, location } = useNavigation();
  const ours = state === 'loading' && formMethod === 'POST' && formAction?.split('?')[0] === here;
  const gone = location && (location.pathname !== here || new URLSearchParams(location.search).has(DONE));
  const taken = ours && gone && !location.pathname.endsWith('/login');
  useEffect(() => {
    if (taken) then();
  }, [taken, then]);
}
