import { useCallback, useEffect, useRef, useState } from 'react';
import type { FormValues } from '~/app/lib/check-form';
import { DONE_PARAM } from '~/app/lib/done-message';
import { useLocation, useNavigation } from '~/app/lib/router';
import { draftKey, readDraft, removeDraft, removeOldDrafts, writeDraft } from './draft-store';

const SAVE_DELAY_MS = 300;

type Input = {
  userId: number;
  form: string;
  values: FormValues;
  /** The values that the server rendered. The draft stores only values that differ from them. */
  initial: FormValues;
  /** Called once after hydration with the saved draft. */
  restore: (values: FormValues) => void;
  onSubmitted?: () => void;
};

/** Keeps the user's input across errors, reloads and expired sessions, until the server has accepted the form. */
export function useDraft(input: Input) {
  const { userId, form, values } = input;
  const key = draftKey(userId, form);
  const [restoredAt, setRestoredAt] = useState<Date | null>(null);
  const latest = useRef(input);
  latest.current = input;
  const isSubmitted = useRef(false);
  const openedKey = useRef('');

  useEffect(() => {
    if (openedKey.current === key) return;
    openedKey.current = key;
    removeOldDrafts(localStorage, Date.now());
    const draft = readDraft(localStorage, key, Date.now());
    if (!draft) return;
    latest.current.restore(draft.values);
    setRestoredAt(new Date(draft.savedAt));
  }, [key]);

  const save = useCallback(() => {
    if (!isSubmitted.current) writeDraft(localStorage, key, latest.current.values, latest.current.initial, Date.now());
  }, [key]);

  useEffect(() => {
    const timer = setTimeout(save, SAVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [values, save]);

  useEffect(() => {
    window.addEventListener('pagehide', save);
    return () => {
      window.removeEventListener('pagehide', save);
      save();
    };
  }, [save]);

  const discard = useCallback(() => {
    removeDraft(localStorage, key);
    setRestoredAt(null);
  }, [key]);

  useSubmitted(
    useCallback(() => {
      isSubmitted.current = true;
      discard();
      latest.current.onSubmitted?.();
    }, [discard]),
  );
  return { restoredAt, discard, dismiss: () => setRestoredAt(null) };
}

/**
 * Calls back when the action has redirected, which means that it accepted the form. A redirect to the login page does
 * not count.
 */
function useSubmitted(callback: () => void) {
  const { pathname } = useLocation();
  const { state, formMethod, formAction, location } = useNavigation();
  const isOurs = state === 'loading' && formMethod === 'POST' && formAction?.split('?')[0] === pathname;
  const isRedirect =
    location && (location.pathname !== pathname || new URLSearchParams(location.search).has(DONE_PARAM));
  const isAccepted = isOurs && isRedirect && !location.pathname.endsWith('/login');
  useEffect(() => {
    if (isAccepted) callback();
  }, [isAccepted, callback]);
}
