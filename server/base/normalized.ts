/** Unicode's Stream-Safe Text Format allows this many combining marks in a row; no language needs more. */
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/** In NFC. Normalizing sorts combining marks, which takes quadratic time for a long run of them. */
export const normalized = (text: string): string => text.replace(TOO_MANY_MARKS, '$1').normalize('NFC');

/** Removes the characters that Postgres can't store, in texts or in JSON, from another service's text. */
export const storable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();
