import { timingSafeEqual } from 'node:crypto';
import type { Ctx } from '../../runtime/ctx';

/**
 * Links in emails that need no row: the token states the purpose of the link, and the signature proves that we wrote
 * it. A link for one purpose is worthless for any other.
 */
type Signer = Pick<Ctx, 'vault'>;

export function signToken(signer: Signer, text: string, purpose: string): string {
  return `${Buffer.from(text).toString('base64url')}.${signatureOf(signer, text, purpose)}`;
}

/** The signed content for this purpose; null for any other token. */
export function readSignedToken(signer: Signer, token: string, purpose: string): string | null {
  const [name = '', signature = ''] = token.split('.');
  const text = Buffer.from(name, 'base64url').toString();
  return isSignature(signature, signatureOf(signer, text, purpose)) ? text : null;
}

export const signatureOf = ({ vault }: Signer, text: string, purpose: string): string =>
  vault.fingerprint(text, purpose);

/** Compares in constant time, so that the duration does not reveal where the texts differ. */
export function isSignature(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
