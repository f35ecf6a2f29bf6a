import { sql } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import type { Language } from '~/locales/languages';
import { languagePrefix, UNSUBSCRIBE_PATH } from '../../base/public-paths';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockAddress } from '../notifications/address-links';
import { readSignedToken, signToken } from '../notifications/signed-tokens';
import { oneClickHeaders } from '../notifications/unsubscribe';
import { leaveLinkInvalid } from './errors';
import { type ContactKey, lookupSender, whereContact } from './queries';
import type { EmailLink } from './schema';
import { suppress } from './suppressions';

const SIGNED_FOR = 'leave a newsletter';

/**
 * The unsubscribe link of a creator's email to a contact, and its headers for email clients (RFC 8058). The link never
 * expires, because people open old emails.
 */
export function leaveLink(
  ctx: Pick<Ctx, 'vault' | 'urls'>,
  { creatorId, email }: ContactKey,
  language: Language,
): { url: string; headers: Record<string, string> } {
  const token = signToken(ctx, `${creatorId} ${email}`, SIGNED_FOR);
  const url = ctx.urls.app(`${languagePrefix(language)}${UNSUBSCRIBE_PATH}?list=${token}`);
  return { url, headers: oneClickHeaders(url) };
}

/** Finds the creator whose emails a link would end, without ending them. @throws audience.leave_link_invalid */
export async function findLeaving(ctx: Ctx, input: EmailLink): Promise<{ email: string; creator: string }> {
  const { creatorId, email } = readLink(ctx, input);
  const creator = await lookupSender(ctx, creatorId);
  if (!creator) throw leaveLinkInvalid();
  return { email, creator: creator.name };
}

/** Ends a creator's emails to an address. Repeating it succeeds. @throws audience.leave_link_invalid */
export async function leaveNewsletter(ctx: Ctx, input: EmailLink): Promise<void> {
  const key = readLink(ctx, input);
  const now = ctx.now();
  await transact(ctx, async (tx) => {
    // before all other locks, because an import may need what their holders have
    await lockLeaving(tx, key, 'as others');
    await lockAddress(tx, key.email);
    // also without a contact: it may have been deleted while its person read an older email
    await suppress(tx, key, 'unsubscribed');
    await tx.db
      .update(contacts)
      .set({ status: 'inactive', inactiveAs: 'unsubscribed', statusReason: 'link', statusAt: now, updatedAt: now })
      // also if the creator's team has deactivated the contact, which they could undo
      .where(whereContact(key));
  });
}

/**
 * An import checks and adds thousands of addresses at a time, too many to lock each: nobody leaves the creator's list in
 * between. People who leave do not wait for each other.
 */
export async function lockLeaving(
  tx: TxCtx,
  { creatorId }: Pick<ContactKey, 'creatorId'>,
  mode: 'as others' | 'until the end',
): Promise<void> {
  const lock = sql.raw(mode === 'as others' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await tx.db.execute(sql`select ${lock}(hashtextextended(${`leaving ${creatorId}`}, 0))`);
}

function readLink(ctx: Ctx, { token }: EmailLink): ContactKey {
  const text = readSignedToken(ctx, token, SIGNED_FOR) ?? '';
  const [, creatorId, email] = /^([1-9]\d{0,14}) (\S+)$/.exec(text) ?? [];
  if (email === undefined) throw leaveLinkInvalid();
  return { creatorId: Number(creatorId), email };
}
