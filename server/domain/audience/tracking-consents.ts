import { and, eq, gt, inArray, isNull, lte } from 'drizzle-orm';
import { contacts, trackingConsents } from '~/db/schema/audience';
import { CONTACT_LIMITS } from '../../limits/audience';
import type { Ctx, TxCtx } from '../../runtime/ctx';

const inForce = (contactId: number) =>
  and(eq(trackingConsents.contactId, contactId), isNull(trackingConsents.withdrawnAt));

/** Whether the person has agreed that the creator sees when they last read, and has not withdrawn it. */
export async function isTracked({ db }: Pick<Ctx, 'db'>, contactId: number): Promise<boolean> {
  return (await db.$count(trackingConsents, inForce(contactId))) > 0;
}

/** The sentence next to the box, which is stored with the consent. */
export const trackingText = (ctx: Pick<Ctx, 'translate'>, creator: string): string =>
  ctx.translate('newsletter:tracking.label', { creator });

/** Records the consent of a contact's person in the words that they read, unless one is in force. */
export async function giveTrackingConsent(tx: TxCtx, contactId: number, text: string): Promise<void> {
  await tx.db.insert(trackingConsents).values({ contactId, text, givenAt: tx.now() }).onConflictDoNothing();
}

/** Ends the consents, and deletes the days with them. Repeating it changes nothing. */
export async function withdrawTrackingConsents(tx: TxCtx, contactIds: number[]): Promise<void> {
  if (contactIds.length === 0) return;
  await tx.db
    .update(trackingConsents)
    .set({ withdrawnAt: tx.now(), lastSeenOn: null })
    .where(and(inArray(trackingConsents.contactId, contactIds), isNull(trackingConsents.withdrawnAt)));
}

/**
 * The job: deletes on which days a creator's contacts last read, up to the day on which the setting was switched off. Their
 * consents stay: they only count while it is on. In batches, because a list may have 500,000 contacts, and each of them only
 * waits for its own batch.
 */
export async function forgetReaders(
  ctx: Ctx,
  { creatorId, until }: { creatorId: number; until: string },
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows: { id: number }[] = await ctx.db
      .select({ id: contacts.id })
      .from(contacts)
      .where(and(eq(contacts.creatorId, creatorId), gt(contacts.id, after)))
      .orderBy(contacts.id)
      .limit(CONTACT_LIMITS.forgotten);
    const ids = rows.map(({ id }) => id);
    await ctx.db
      .update(trackingConsents)
      .set({ lastSeenOn: null })
      .where(and(inArray(trackingConsents.contactId, ids), lte(trackingConsents.lastSeenOn, until)));
    after = ids.at(-1);
  }
}
