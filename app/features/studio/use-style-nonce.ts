import { useState } from 'react';
import { useNonce } from '~/app/lib/nonce';

/**
 * The nonce for Mantine's style tags. Browsers hide nonces from the DOM: during hydration a server-rendered tag must
 * get the empty nonce that it appears to have. For new tags, trusted scripts can read the nonce of a script element.
 */
export function useStyleNonce(): () => string {
  const nonce = useNonce();
  const [ofPage] = useState(() => {
    if (typeof document === 'undefined' || document.querySelector('style[data-mantine-styles]')) return '';
    return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  });
  return () => nonce ?? ofPage;
}
