import { loginsBusy } from '../base/errors';
import { wholeSeconds } from '../base/time';
import { createFairSlots, type Turn } from '../flow/fair-slots';
import { openOnce } from '../flow/open-once';
import { HASHING_LIMITS, UNAVAILABLE_LIMITS } from '../limits/http';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const withSlot = createFairSlots({
  ...HASHING_LIMITS,
  busy: () => loginsBusy({ seconds: wholeSeconds(UNAVAILABLE_LIMITS.retryAfter) }),
});

/** @throws common.logins_busy */
export function hashPassword(password: string, turn: Turn): Promise<string> {
  return withSlot(turn, () => hash(password));
}

const dummyHash = openOnce(() => hash('no account has this password'));

/**
 * Takes equally long if the account does not exist (`null`), so that timing does not reveal which addresses exist.
 * @throws common.logins_busy
 */
export function checkPassword(stored: string | null, password: string, turn: Turn): Promise<boolean> {
  return withSlot(turn, async () => {
    const { verify } = await import('@node-rs/argon2');
    const matches = await verify(stored ?? (await dummyHash.get()), password, COST);
    return stored !== null && matches;
  });
}

async function hash(password: string): Promise<string> {
  const argon2 = await import('@node-rs/argon2');
  return argon2.hash(password, COST);
}
