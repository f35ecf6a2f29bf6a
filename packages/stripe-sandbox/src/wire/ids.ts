import { randomBytes } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('');
}

/** `cus_…`, `in_…`: the prefix identifies the kind, as in Stripe's ids. */
export const newId = (prefix: string, length = 24) => `${prefix}_${randomText(length)}`;
