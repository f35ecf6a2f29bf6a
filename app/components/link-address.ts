import { isSafeLink } from '~/server/base/html';

const HAS_SCHEME = /^[a-z][a-z\d+.-]*:(?!\d)/i;

/**
 * The URL for text that a user types as a link: `example.com`, `ana@example.com`, `https://…`. Null if no link can be
 * made of it.
 */
export function toLinkAddress(typed: string): string | null {
  const address = typed.trim();
  if (isSafeLink(address)) return address;
  if (HAS_SCHEME.test(address) || /\s/.test(address)) return null;
  if (/^[^@/]+@[^@/]+\.[^@/]+$/.test(address)) return `mailto:${address}`;
  return /^[^./:]+(?:\.[^./:]+)+(?:[/:?#].*)?$/.test(address) ? `https://${address}` : null;
}
