/** The id of the section with the settings of two-factor authentication. */
export const TWO_FACTOR = 'two-factor';
