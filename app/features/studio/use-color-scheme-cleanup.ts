import { useEffect } from 'react';

/** Public pages follow the device by themselves: what Mantine noted about it must not outlive the studio. */
export function useColorSchemeCleanup(): void {
  useEffect(() => () => document.documentElement.removeAttribute('data-mantine-color-scheme'), []);
}
