import { and, eq, inArray, or } from 'drizzle-orm';
import { contacts, mergedContacts } from '~/db/schema/audience';
import { products } from '~/db/schema/products';
import type { Ctx } from '../../runtime/ctx';
import type { CreatorRow } from '../creators/queries';
import { readSignedToken, signToken } from '../notifications/signed-tokens';
import { readEpisodeEmails } from '../notifications/unsubscribe';
import { leaveLinkInvalid, linkOfFormerAddress } from './errors';
import { type ContactKey, lookupSender, whereContact } from './queries';
import type { EmailLink } from './schema';

const SIGNED_FOR = 'leave a newsletter';

/** `id`: of the contact, which may get another address later; null in links of before, and without a contact. */
export type LinkedKey = ContactKey & { id: number | null };
type ContactRow = typeof contacts.$inferSelect;

/** Who a creator's email was sent to, for the links in it (docs/decisions/0345). */
export const contactToken = (ctx: Pick<Ctx, 'vault'>, { creatorId, id, email }: LinkedKey): string =>
  signToken(ctx, [creatorId, ...(id === null ? [] : [id]), email].join(' '), SIGNED_FOR);

/** @throws audience.leave_link_invalid */
export function readContactToken(ctx: Pick<Ctx, 'vault'>, { token }: EmailLink): LinkedKey {
  const text = readSignedToken(ctx, token, SIGNED_FOR) ?? '';
  const [, creatorId, id, email] = /^([1-9]\d{0,14}) (?:([1-9]\d{0,14}) )?(\S+)$/.exec(text) ?? [];
  if (email === undefined) throw leaveLinkInvalid();
  return { creatorId: Number(creatorId), id: id === undefined ? null : Number(id), email };
}

/** The contact that has the id, or the one of which it became a part, or else the one with the address. */
export async function lookupLinked({ db }: Pick<Ctx, 'db'>, key: LinkedKey): Promise<ContactRow | null> {
  const { creatorId, id, email } = key;
  if (id !== null) {
    const merged = db
      .select({ id: mergedContacts.contactId })
      .from(mergedContacts)
      .where(eq(mergedContacts.formerId, id));
    const hasId = or(eq(contacts.id, id), inArray(contacts.id, merged));
    const [row] = await db
      .select()
      .from(contacts)
      .where(and(eq(contacts.creatorId, creatorId), hasId));
    if (row) return row;
  }
  const [row] = await db.select().from(contacts).where(whereContact({ creatorId, email }));
  return row ?? null;
}

/**
 * `isCurrent`: the link was sent to the contact's present address. A former one may be read by somebody else.
 * `stopsShow`: the show whose emails the link ends; null for all emails of the creator.
 */
export type Linked = {
  key: LinkedKey;
  creator: CreatorRow;
  contact: ContactRow | null;
  isCurrent: boolean;
  stopsShow: number | null;
};

/** The creator and the contact of a link in any email. @throws audience.leave_link_invalid */
export async function findLinked(ctx: Ctx, { token, of }: EmailLink): Promise<Linked> {
  const episodes = of === 'show' ? readEpisodeEmails(ctx, { token }) : null;
  const key = episodes ? await keyOfShow(ctx, episodes) : readContactToken(ctx, { token, of });
  const creator = await lookupSender(ctx, key.creatorId);
  if (!creator) throw leaveLinkInvalid();
  const contact = await lookupLinked(ctx, key);
  const isCurrent = contact === null || contact.email === key.email;
  return { key, creator, contact, isCurrent, stopsShow: episodes?.productId ?? null };
}

/** @throws audience.leave_link_invalid, audience.link_of_former_address */
export async function findCurrent(ctx: Ctx, link: EmailLink): Promise<Linked> {
  const linked = await findLinked(ctx, link);
  if (!linked.isCurrent) throw linkOfFormerAddress();
  return linked;
}

async function keyOfShow({ db }: Ctx, { email, productId }: { email: string; productId: number }): Promise<LinkedKey> {
  const [row] = await db.select({ creatorId: products.creatorId }).from(products).where(eq(products.id, productId));
  if (!row) throw leaveLinkInvalid();
  return { ...row, id: null, email };
}
