/** The identity providers with which users can log in. Their names are the same in every language. */
export const PROVIDER_NAMES = { google: 'Google', facebook: 'Facebook' } as const;
