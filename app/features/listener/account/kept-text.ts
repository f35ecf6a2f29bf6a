import { useEffect, useRef } from 'react';
import type { FormValues } from '~/app/lib/check-form';
import { useLocation } from '~/app/lib/router';

/** Never written anywhere, not even for the minute of a new log-in. */
const SECRET = /password|code|token/i;

type Input = { intent: string; values: FormValues; isChanged: boolean; restore: (values: FormValues) => void };

/**
 * Keeps what was typed into a form of the settings for this tab while its page is left, as when the session has ended
 * and the user must log in again. Unlike a draft it is forgotten when it is restored, and when the tab closes.
 */
export function useKeptText(input: Input): void {
  const { pathname } = useLocation();
  const key = `kept ${pathname} ${input.intent}`;
  const latest = useRef(input);
  latest.current = input;
  useEffect(() => {
    const kept = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    if (kept) latest.current.restore(JSON.parse(kept) as FormValues);
    const keep = () => {
      const { values, isChanged } = latest.current;
      const typed = Object.entries(values).filter(([name]) => !SECRET.test(name));
      if (isChanged) sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(typed)));
    };
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [key]);
}
