/** In seconds, the unit of the sandbox's clock. */
export const HOUR = 3600;
export const DAY = 24 * HOUR;
