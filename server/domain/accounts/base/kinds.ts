/** The services whose accounts can log in here. Their names are the same in every language. */
export const PROVIDER_NAMES = { google: 'Google', facebook: 'Facebook' } as const;
