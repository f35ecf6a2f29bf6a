import { hash } from '@node-rs/argon2';
import { hashPassword } from '~/server/auth/passwords';
import { isDeep } from './deep';

/** The least that argon2 allows: a hash states its own cost, so checking a password against it is as cheap. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

const ALONE = { network: '', isKnownDevice: false };

/** The stored hash of a password. It takes real work in the deep run only, because most tests do not wait for it. */
export function passwordHashOf(password: string): Promise<string> {
  return isDeep ? hashPassword(password, ALONE) : hash(password, CHEAP);
}
