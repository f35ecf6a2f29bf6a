/** The visitor's answer about cookies that measure visits. */
export const CONSENTS = ['granted', 'denied'] as const;
export type Consent = (typeof CONSENTS)[number];
