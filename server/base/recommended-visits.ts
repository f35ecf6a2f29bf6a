import { timingSafeEqual } from 'node:crypto';

/** Names the recommendation by whose link a visitor came; only the server reads it (docs/decisions/0362). */
export const RECOMMENDATION_COOKIE = 'recommendation';

type Signer = { fingerprint(text: string, owner: string): string };

const OWNER = 'link of a recommendation';
const TOKEN = /^(\d{1,15})-([\w-]{43})$/;

/** The token of the link of a recommendation. It names no person: all visitors get the same. */
export const visitToken = (vault: Signer, id: number): string => `${id}-${vault.fingerprint(String(id), OWNER)}`;

/** The recommendation that a token names; null if we have not made it. */
export function recommendationOf(vault: Signer, token: string | undefined): number | null {
  const [, id, signature = ''] = TOKEN.exec(token ?? '') ?? [];
  if (id === undefined) return null;
  const expected = Buffer.from(vault.fingerprint(id, OWNER));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected) ? Number(id) : null;
}
