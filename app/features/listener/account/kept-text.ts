import { useEffect, useRef } from 'react';
import type { FormValues } from '~/app/lib/check-form';
import { useLocation } from '~/app/lib/router';
import { useIsSaved } from '~/app/lib/use-is-saved';

/** Values of these fields are never stored, not even for the minute of a new log-in. */
const SECRET = /password|code|token/i;

type Input = { intent: string; values: FormValues; isChanged: boolean; restore: (values: FormValues) => void };

/**
 * Keeps the text of a settings form in this tab while the user leaves the page, such as when the session has ended and
 * the user must log in again, or while they visit another page. Unlike a draft, the text is discarded when it is restored and when the tab closes.
 */
export function useKeptText(input: Input): void {
  const { pathname } = useLocation();
  const key = `kept ${pathname} ${input.intent}`;
  const latest = useRef(input);
  latest.current = input;
  const isSaved = useIsSaved((sent) => sent.get('intent') === input.intent);
  useEffect(() => {
    const kept = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    if (kept) latest.current.restore(JSON.parse(kept) as FormValues);
    const keep = () => {
      const { values, isChanged } = latest.current;
      const typed = Object.entries(values).filter(([name]) => !SECRET.test(name));
      if (isChanged && !isSaved.current) sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(typed)));
    };
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [key, isSaved]);
}
