import { hash } from '@node-rs/argon2';

/** The minimum that argon2 allows. A hash states its own cost, so checking a password against it is equally cheap. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** A stored hash of a password, without the cost that makes guessing slow: hardly any test depends on that. */
export function passwordHashOf(password: string): Promise<string> {
  return hash(password, CHEAP);
}
