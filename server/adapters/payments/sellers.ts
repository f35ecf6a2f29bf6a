import type { Seller } from './port';

/** Stripe's limits for a field on an invoice. */
const LABEL_LENGTH = 40;
const NAME_LENGTH = 140;
/** Stripe's limit is 22 characters with `* ` and the prefix of the account, which has up to 10. */
const SUFFIX_LENGTH = 10;

const cut = (text: string, length: number) => [...text].slice(0, length).join('');

/** The name of the item, with its seller. */
export const describeItem = (name: string, seller: Seller | undefined) =>
  seller ? `${name} · ${soldBy(seller)}` : name;

export const soldBy = ({ label, name }: Seller) => `${label} ${name}`;

/** The seller as a field on an invoice. */
export const sellerFields = ({ label, name }: Seller) => [
  { name: cut(label, LABEL_LENGTH), value: cut(name, NAME_LENGTH) },
];

/** The seller on a card statement: Latin letters only, and at least one; undefined for a name in another script. */
export function statementSuffix({ name }: Seller): string | undefined {
  const latin = name.normalize('NFD').replace(/[^A-Za-z0-9 .&-]/g, '');
  const suffix = cut(latin.replace(/ +/g, ' ').trim().toUpperCase(), SUFFIX_LENGTH).trim();
  return /[A-Z]/.test(suffix) ? suffix : undefined;
}
