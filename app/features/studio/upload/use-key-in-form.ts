import { useIsomorphicEffect } from '@mantine/hooks';

/**
 * Copies an upload's key to the form's value. This is a layout effect, so that the form has the key as soon as the page
 * shows the upload as complete: after a later effect, an early click would be refused for a missing file.
 */
export function useKeyInForm(key: string | null, setValue: (value: string) => void): void {
  useIsomorphicEffect(() => void setValue(key ?? ''), [key, setValue]);
}
