import { useState } from 'react';
import { useNonce } from '~/app/lib/nonce';

/**
 * Browsers hide nonces from the DOM, but trusted scripts can read the nonce of a script element. It is read at once,
 * because React renders the document again for an error page, and then no element has a nonce any more.
 */
const ofDocument =
  typeof document === 'undefined' ? '' : (document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '');

/**
 * The nonce for Mantine's style tags. Browsers report an empty nonce for server-rendered tags, so during hydration the
 * nonce must be empty.
 */
export function useStyleNonce(): () => string {
  const nonce = useNonce();
  const [ofPage] = useState(() => {
    if (typeof document === 'undefined' || document.querySelector('style[data-mantine-styles]')) return '';
    return ofDocument;
  });
  return () => nonce ?? ofPage;
}
