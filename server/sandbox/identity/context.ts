import type { createCodes } from './codes';

/** The application that the provider knows. */
export type SandboxClient = { clientId: string; clientSecret: string; redirectUri: string };

/** What the next answer does wrong, for tests. */
export type Fault = 'wrong_issuer' | 'other_nonce' | 'no_nonce' | 'other_audience' | 'other_key' | 'down';

/** What both providers share. */
export type SandboxContext = { codes: ReturnType<typeof createCodes>; fault(): Fault | null };
