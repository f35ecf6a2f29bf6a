/** The identity providers with which users can log in. Their names are the same in every language. */
export const PROVIDER_NAMES = { google: 'Google', facebook: 'Facebook' } as const;

/** The user's reason to sign up; the start wizard asks for it. */
export const SIGN_UP_REASONS = ['publish', 'listen', 'sell', 'move', 'other'] as const;
