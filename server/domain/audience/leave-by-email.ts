import { eq, inArray, or } from 'drizzle-orm';
import { contacts, mergedContacts } from '~/db/schema/audience';
import { withTag } from '../../base/addresses';
import { type Ctx, transact } from '../../runtime/ctx';
import { addressTag, readAddressTag } from '../notifications/address-tags';
import { leaveOnce } from './leave-newsletter';
import { suppressDeleted } from './suppressions';

const KIND = { letter: 'u', purpose: 'leave a newsletter by email' };

type Leaver = { creatorId: number; id: number };

/** The link in an email's header with which email apps unsubscribe by email (RFC 2369); undefined if nobody reads it. */
export function leaveMailto(ctx: Pick<Ctx, 'vault' | 'ports'>, { creatorId, id }: Leaver): string | undefined {
  const { bounceAddress } = ctx.ports.mail;
  if (bounceAddress === null) return undefined;
  return `mailto:${withTag(bounceAddress, addressTag(ctx, [creatorId, id], KIND))}?subject=unsubscribe`;
}

/**
 * Ends a creator's emails to the contact that an address names, whoever has written to it: nobody else knows the
 * address. Also if the contact was deleted meanwhile: a file may bring it back. Repeating it succeeds. @returns false for any other address
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
