import { hash, verify } from '@node-rs/argon2';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** More at once would starve the other requests of the machine's few cores. */
const AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // a waiting one takes over this place, so that no newcomer slips in between
    if (next) next();
    else running -= 1;
  }
}

export function hashPassword(password: string): Promise<string> {
  return oneOfFew(() => hash(password, COST));
}

let nobody: Promise<string> | undefined;

/** Takes as long for an account that does not exist (`null`) as for one that does, so that addresses can't be probed. */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password');
  const known = stored ?? (await nobody);
  const matches = await oneOfFew(() => verify(known, password, COST));
  return stored !== null && matches;
}
