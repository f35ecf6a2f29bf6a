import { createHash, randomBytes } from 'node:crypto';
import { MINUTES } from '../../base/time';
import type { Person } from './people';

/** The permission that a person has given. */
export type Grant = {
  clientId: string;
  redirectUri: string;
  person: Person;
  scopes: string[];
  nonce: string | null;
  /** PKCE (RFC 7636), by S256. */
  challenge: string | null;
};

const LIFETIME = MINUTES(1);

/** Codes and access tokens, each of which works only once. */
export function createCodes() {
  const grants = new Map<string, Grant & { expiresAt: number }>();
  return {
    issue(grant: Grant): string {
      for (const [code, { expiresAt }] of grants) if (expiresAt < Date.now()) grants.delete(code);
      const code = randomBytes(24).toString('base64url');
      grants.set(code, { ...grant, expiresAt: Date.now() + LIFETIME });
      return code;
    },
    /** Null for an unknown, used or expired code. */
    redeem(code: string): Grant | null {
      const grant = grants.get(code);
      grants.delete(code);
      return grant && grant.expiresAt >= Date.now() ? grant : null;
    },
  };
}

type Redemption = { clientId: string; redirectUri: string; verifier: string };

/** Whether a code that was issued for `grant` may be exchanged by this request. */
export function mayRedeem(grant: Grant, { clientId, redirectUri, verifier }: Redemption): boolean {
  const isSameClient = grant.clientId === clientId && grant.redirectUri === redirectUri;
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return isSameClient && (grant.challenge === null || grant.challenge === challenge);
}
