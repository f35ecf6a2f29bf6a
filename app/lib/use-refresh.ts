import { useEffect } from 'react';
import { useRevalidator } from './router';

const REFRESH_MS = 3000;

/** Reloads the state while the page is visible. Without JavaScript, the page has a link for it. */
export function useRefresh(isRunning: boolean, everyMs: number = REFRESH_MS): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!isRunning || state !== 'idle') return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, everyMs);
    return () => clearInterval(timer);
  }, [isRunning, everyMs, revalidate, state]);
}
