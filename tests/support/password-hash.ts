import { hash } from '@node-rs/argon2';

/** The least that argon2 allows: a hash states its own cost, so checking a password against it is as cheap. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** The stored hash of a password, without the work that makes guessing slow: hardly any test waits for that. */
export function passwordHashOf(password: string): Promise<string> {
  return hash(password, CHEAP);
}
