// the bundle declares createRequire itself
import { createRequire as requireFrom } from 'node:module';
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
    const { verify } = openArgon2();
    const matches = await verify(stored ?? (await dummyHash.get()), password, COST);
    return stored !== null && matches;
  });
}

async function hash(password: string): Promise<string> {
  return openArgon2().hash(password, COST);
}

/**
 * A start needs no password. Node.js 20 remembers an `import()` that failed, for want of descriptors for example, and all
 * logins would fail until a restart; `require` reads the files again.
 */
const openArgon2 = (): typeof import('@node-rs/argon2') => requireFrom(import.meta.url)('@node-rs/argon2');
