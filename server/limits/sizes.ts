/** Sizes in bytes. */
export const KILOBYTES = 1000;
export const MEGABYTES = 1000 * KILOBYTES;
