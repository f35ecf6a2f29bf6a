import { and } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { earlier } from '../../base/time';
import { NEWSLETTER_LIMITS } from '../../limits/audience';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { lockAddress } from '../notifications/address-links';
import { readSignedToken, signToken } from '../notifications/signed-tokens';
import { activateContact, notePending } from './activate-contact';
import { joinLinkExpired } from './errors';
import { isActive, lookupSender, whereContact } from './queries';
import { suppressedAt } from './suppressions';

/**
 * An address that its owner has just confirmed for a creator's newsletter. The page after it carries the token: with it,
 * the same address gets newsletters that this creator recommends, without another email. `provenAt`: when the link was sent.
 */
export type ConfirmedAddress = { creatorId: number; email: string; provenAt: Date };
const PURPOSE = 'join recommended newsletters';

export function confirmedToken(ctx: Pick<Ctx, 'vault' | 'now'>, { creatorId, email, provenAt }: ConfirmedAddress) {
  return signToken(ctx, `${creatorId} ${provenAt.getTime()} ${ctx.now().getTime()} ${email}`, PURPOSE);
}

/**
 * The creator whose newsletter was confirmed, and the address, which still gets it.
 * @throws audience.join_link_expired, also after the address has left this newsletter
 */
export async function readConfirmed(ctx: Ctx, token: string) {
  const text = readSignedToken(ctx, token, PURPOSE) ?? '';
  const [, id, proven, confirmed, email] = /^([1-9]\d{0,14}) (\d{1,15}) (\d{1,15}) (\S+)$/.exec(text) ?? [];
  if (email === undefined || Number(confirmed) < earlier(ctx.now(), NEWSLETTER_LIMITS.recommending).getTime())
    throw joinLinkExpired();
  const creator = await lookupSender(ctx, Number(id));
  if (!creator || creator.takenDownAt) throw joinLinkExpired();
  const isOnList = and(whereContact({ creatorId: creator.id, email }), isActive());
  if ((await ctx.db.$count(contacts, isOnList)) === 0) throw joinLinkExpired();
  return { creator, email, provenAt: new Date(Number(proven)) };
}

export type Recommended = { creatorId: number; text: string };

/**
 * Adds a confirmed address to the lists of other creators, as the form of each would after its link. Who has left one of
 * them since the first link was sent does not come back. @returns the creators whose list now has the address
 */
export async function addToLists(
  tx: TxCtx,
  { email, provenAt }: Pick<ConfirmedAddress, 'email' | 'provenAt'>,
  lists: Recommended[],
): Promise<number[]> {
  await lockAddress(tx, email);
  const joined: number[] = [];
  // each request in the same order
  for (const { creatorId, text } of [...lists].sort((a, b) => a.creatorId - b.creatorId)) {
    const key = { creatorId, email };
    const left = await suppressedAt(tx, key);
    if (left && left > provenAt) continue;
    await notePending(tx, { ...key, source: 'recommendation', language: tx.language });
    if (await activateContact(tx, { ...key, provenAt, source: 'recommendation', text })) joined.push(creatorId);
  }
  return joined;
}
