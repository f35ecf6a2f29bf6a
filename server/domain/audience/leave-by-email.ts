import { eq, inArray, or } from 'drizzle-orm';
import { contacts, mergedContacts } from '~/db/schema/audience';
import { type Ctx, transact } from '../../runtime/ctx';
import { readAddressTag, unsubscribeMailto } from '../notifications/address-tags';
import { leaveOnce } from './leave-newsletter';
import { suppressDeleted } from './suppressions';

const KIND = { letter: 'u', purpose: 'leave a newsletter by email' };

type Leaver = { creatorId: number; id: number };

/** For the header of a creator's email. */
export const leaveMailto = (ctx: Pick<Ctx, 'vault' | 'ports'>, { creatorId, id }: Leaver): string | undefined =>
  unsubscribeMailto(ctx, [creatorId, id], KIND);

/**
 * Ends a creator's emails to the contact that an address names. The sender of the message does not matter, because only
 * that person has the address. Also if the contact was deleted meanwhile: a file may bring it back. Repeating it
 * succeeds. @returns false for any other address
 */
export async function leaveByEmail(ctx: Ctx, address: string): Promise<boolean> {
  const [creatorId, id] = readAddressTag(ctx, address, KIND) ?? [];
  if (creatorId === undefined || id === undefined) return false;
  const merged = ctx.db
    .select({ id: mergedContacts.contactId })
    .from(mergedContacts)
    .where(eq(mergedContacts.formerId, id));
  const [contact] = await ctx.db
    .select({ creatorId: contacts.creatorId, email: contacts.email })
    .from(contacts)
    .where(or(eq(contacts.id, id), inArray(contacts.id, merged)))
    .limit(1);
  if (contact?.creatorId === creatorId) await leaveOnce(ctx, { ...contact, id });
  else await transact(ctx, (tx) => suppressDeleted(tx, { creatorId, id }));
  return true;
}
