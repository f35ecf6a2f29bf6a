import { useEffect } from 'react';

/**
 * Public pages follow the device's colour scheme through CSS, so Mantine's attribute must be removed when the studio
 * unmounts.
 */
export function useColorSchemeCleanup(): void {
  useEffect(() => () => document.documentElement.removeAttribute('data-mantine-color-scheme'), []);
}
