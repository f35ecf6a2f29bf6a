import { randomBytes } from 'node:crypto';
import { SECONDS } from '../../base/time';
import type { SandboxAccount } from './context';

/** What a code or a token stands for; service tokens have no account. */
export type Granted = { scopes: string[]; account: SandboxAccount | null };

const LIFETIME_SECONDS = 3600;

/** Codes work once; tokens for an hour. */
export function createTokens() {
  const known = new Map<string, Granted & { expiresAt: number }>();
  const issue = (granted: Granted): string => {
    const now = Date.now();
    for (const [key, { expiresAt }] of known) if (expiresAt < now) known.delete(key);
    const key = randomBytes(24).toString('base64url');
    known.set(key, { ...granted, expiresAt: now + SECONDS(LIFETIME_SECONDS) });
    return key;
  };
  const find = (key: string): Granted | null => {
    const found = known.get(key);
    return found && found.expiresAt >= Date.now() ? found : null;
  };
  return {
    issue,
    find,
    /** Null for an unknown or used code. */
    redeem(code: string): Granted | null {
      const found = find(code);
      known.delete(code);
      return found;
    },
    /** Ends every token, as a change of the app at Spotify does. */
    endAll: () => known.clear(),
    answer: (granted: Granted) => ({
      access_token: issue(granted),
      token_type: 'Bearer',
      expires_in: LIFETIME_SECONDS,
      scope: granted.scopes.join(' '),
    }),
  };
}
export type Tokens = ReturnType<typeof createTokens>;
