import { useState } from 'react';
import { useNonce } from '~/app/lib/nonce';

/**
 * The nonce for style tags that Mantine makes. Browsers hide it from the markup: a tag that came with the page shows an
 * empty one, and must be told so while it is taken over. Scripts that the page trusts may read it, for new tags.
 */
export function useStyleNonce(): () => string {
  const nonce = useNonce();
  const [ofPage] = useState(() => {
    if (typeof document === 'undefined' || document.querySelector('style[data-mantine-styles]')) return '';
    return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  });
  return () => nonce ?? ofPage;
}
