import { useEffect } from 'react';

/**
 * Removes Mantine's attribute when the studio unmounts, because public pages follow the device's colour scheme through
 * CSS.
 */
export function useColorSchemeCleanup(): void {
  useEffect(() => () => document.documentElement.removeAttribute('data-mantine-color-scheme'), []);
}
