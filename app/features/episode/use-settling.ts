import { useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';
import { SECONDS } from '~/server/time';

const PAUSE = SECONDS(2);

/** Loads the page's data again every two seconds for as long as something on it is being worked on. */
export function useSettling(active: boolean): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!active || state !== 'idle') return;
    const timer = setTimeout(() => document.visibilityState === 'visible' && revalidate(), PAUSE);
    return () => clearTimeout(timer);
  }, [active, state, revalidate]);
}
