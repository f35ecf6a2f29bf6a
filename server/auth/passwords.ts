import { hash, verify } from '@node-rs/argon2';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** More concurrent hashes would starve other requests of CPU. */
const MAX_CONCURRENT = 2;

let running = 0;
const waiting: (() => void)[] = [];

async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // hand the slot to the next in line directly, so that a new call cannot overtake it
    if (next) next();
    else running -= 1;
  }
}

export function hashPassword(password: string): Promise<string> {
  return withSlot(() => hash(password, COST));
}

let dummyHash: Promise<string> | undefined;

/** Takes equally long if the account does not exist (`null`), so that timing does not reveal which addresses exist. */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  dummyHash ??= hashPassword('no account has this password');
  const known = stored ?? (await dummyHash);
  const matches = await withSlot(() => verify(known, password, COST));
  return stored !== null && matches;
}
