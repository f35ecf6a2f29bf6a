import { createHash } from 'node:crypto';

/** A person with an account at a provider. */
export type Person = { id: string; name: string; email: string | null; isEmailVerified: boolean };

const ELENA = {
  id: '108700000000000000001',
  name: 'Elena Prado',
  email: 'elena.prado@mail.example',
  isEmailVerified: true,
};
const MARCO = {
  id: '108700000000000000002',
  name: 'Marco Vidal',
  email: 'marco.vidal@mail.example',
  isEmailVerified: false,
};
const NOOR = { id: '108700000000000000003', name: 'Noor Haddad', email: null, isEmailVerified: false };

/** Google always has an address, and states whether it is verified. On Facebook, an address is optional. */
export const PEOPLE: Record<'google' | 'facebook', Person[]> = { google: [ELENA, MARCO], facebook: [ELENA, NOOR] };

/** Any other person: the same address is the same person. */
export function otherPerson(name: string, email: string, isEmailVerified: boolean): Person {
  const digits = createHash('sha256').update(email).digest().readBigUInt64BE().toString().slice(0, 18);
  return { id: `109${digits.padStart(18, '0')}`, name, email, isEmailVerified };
}
