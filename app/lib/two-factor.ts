/** The id of the settings section for two-factor authentication. */
export const TWO_FACTOR = 'two-factor';
