import { fields } from '../../../base/fields';
import { BUYER_LIMITS } from '../../../limits/buyers';

/**
 * `invalid`: not an address. `no_room`: the creator's plan has no room for the person. `try_later`: the creator has
 * reached too many new people today.
 */
export const INVITED_RESULTS = ['granted', 'has_access', 'no_room', 'try_later', 'invalid'] as const;
export type InvitedResult = (typeof INVITED_RESULTS)[number];

/** `paid`: the person keeps access, because they or a giver have paid for it. */
export const REMOVED_RESULTS = ['ended', 'paid', 'no_access', 'invalid'] as const;
export type RemovedResult = (typeof REMOVED_RESULTS)[number];

/** The addresses of a batch in its order, as accounts have them; null for what is not an address. */
export function addressesOf(subscribers: readonly { email: string }[]): (string | null)[] {
  const schema = fields.email();
  return subscribers.map(({ email }) => schema.safeParse(email).data ?? null);
}

/**
 * `hasGift`: free access without an end. `isCounted`: the plan counts the person already. `wasHeld`: the person has paid
 * for or was given something of the creator before.
 */
export type Known = { hasGift: boolean; isCounted: boolean; wasHeld: boolean };
/** `newcomers`: people who are new to the creator, whether they have an account or not: the answer must not tell. */
type Room = { room: number; newcomers: number };

/** How many people who are new to a creator batches reach in a day. `limit`: the plan's subscribers; null without one. */
export const newcomersPerDay = (limit: number | null): number =>
  Math.min(Math.max(limit ?? BUYER_LIMITS.newMost, BUYER_LIMITS.newLeast), BUYER_LIMITS.newMost);

/**
 * What each address of a batch gets, as long as the plan has room and the day's newcomers are not reached: the first ones
 * come first, and people who are counted already need no room.
 */
export function placeInvited(
  addresses: readonly string[],
  known: ReadonlyMap<string, Known>,
  { room, newcomers }: Room,
): Map<string, Exclude<InvitedResult, 'invalid'>> {
  let left = room;
  let leftToday = newcomers;
  const placed = new Map<string, Exclude<InvitedResult, 'invalid'>>();
  for (const address of addresses) {
    if (placed.has(address)) continue;
    const facts = known.get(address);
    if (facts?.hasGift) placed.set(address, 'has_access');
    else if (facts?.isCounted) placed.set(address, 'granted');
    else if (left <= 0) placed.set(address, 'no_room');
    else if (!facts?.wasHeld && leftToday <= 0) placed.set(address, 'try_later');
    else {
      left -= 1;
      if (!facts?.wasHeld) leftToday -= 1;
      placed.set(address, 'granted');
    }
  }
  return placed;
}
