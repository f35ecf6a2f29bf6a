import { useEffect } from 'react';
import { useRevalidator } from './router';

const REFRESH_MS = 3000;

/** Loads the state again while the page is visible. Without JavaScript, there is a link. */
export function useRefresh(isRunning: boolean): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!isRunning || state !== 'idle') return;
    const timer = setTimeout(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, REFRESH_MS);
    return () => clearTimeout(timer);
  }, [isRunning, revalidate, state]);
}
