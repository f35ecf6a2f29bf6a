import type { createCodes } from './codes';

/** The application that is registered with the provider. */
export type SandboxClient = { clientId: string; clientSecret: string; redirectUri: string };

/** The fault of the next answer, for tests. */
export type Fault = 'wrong_issuer' | 'other_nonce' | 'no_nonce' | 'other_audience' | 'other_key' | 'down';

/** Shared by both providers. */
export type SandboxContext = { codes: ReturnType<typeof createCodes>; fault(): Fault | null };
