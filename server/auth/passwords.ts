import { hash, verify } from '@node-rs/argon2';
import { createSlots } from '../slots';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** More concurrent hashes would starve other requests of CPU. */
const withSlot = createSlots(2);

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
