import { eq } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { stopMessages } from '../../queue/jobs/billing';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { optOut, resubscribe } from '../notifications/unsubscribe';
import { contactNotFound } from './errors';
import { eraseTraces, suppressFormer } from './former-addresses';
import { leaveList } from './leave-newsletter';
import { findCurrent, findLinked, type Linked } from './linked-contact';
import { listOwnShows } from './own-contact';
import { whereContact } from './queries';
import type { ChooseShow, EmailLink, EraseOwn, SaveChoices } from './schema';
import { rememberDeleted } from './suppressions';
import { giveTrackingConsent, trackingText, withdrawTrackingConsents } from './tracking-consents';

/**
 * Ends all emails of a creator that are not about payments: the newsletter, new episodes and messages. Repeating it
 * succeeds. @throws audience.leave_link_invalid
 */
export async function stopAllEmails(ctx: Ctx, link: EmailLink): Promise<void> {
  const linked = await findLinked(ctx, link);
  await transact(ctx, (tx) => stopAll(tx, linked));
}

/** Also for a link of a former address, whose reader can only end emails. */
async function stopAll(tx: TxCtx, linked: Linked): Promise<void> {
  const { key, contact } = linked;
  await leaveList(tx, { ...key, id: key.id ?? contact?.id ?? null });
  const shows = await listOwnShows(tx, linked);
  const [person] = shows;
  if (!person) return;
  await optOut(
    tx,
    person.email,
    shows.map(({ id }) => id),
  );
  await tx.jobs.enqueue(stopMessages, { creatorId: key.creatorId, userId: person.userId });
}

/**
 * Ends the emails about new episodes of one show, or turns them on again.
 * @throws audience.contact_not_found if the person does not follow the show; as findCurrent
 */
export async function chooseShow(ctx: Ctx, { productId, wants, ...link }: ChooseShow): Promise<void> {
  const linked = await findCurrent(ctx, link);
  await transact(ctx, async (tx) => {
    const show = (await listOwnShows(tx, linked)).find(({ id }) => id === productId);
    if (!show) throw contactNotFound();
    if (wants) await resubscribe(tx, { email: show.email, productId });
    else await optOut(tx, show.email, [productId]);
  });
}

/**
 * Saves the language of the emails, and whether the creator may see when the person last read. Without the tick, the
 * consent and the day end. While the creator does not ask for it, a tick keeps a consent, and gives none: nothing would
 * use it. @throws audience.contact_not_found; as findCurrent
 */
export async function saveChoices(ctx: Ctx, { language, isTracked, ...link }: SaveChoices): Promise<void> {
  const { contact, creator } = await findCurrent(ctx, link);
  if (!contact) throw contactNotFound();
  await transact(ctx, async (tx) => {
    const now = tx.now();
    const updated = await tx.db
      .update(contacts)
      .set({ language, updatedAt: now })
      .where(eq(contacts.id, contact.id))
      .returning({ id: contacts.id });
    if (updated.length === 0) throw contactNotFound();
    if (!isTracked) await withdrawTrackingConsents(tx, [contact.id]);
    else if (creator.tracksReadersSince) await giveTrackingConsent(tx, contact.id, trackingText(tx, creator.name));
  });
}

/**
 * Deletes all that a creator holds about a person who asks for it, and ends the emails: the digest of the address stays,
 * so that no old file brings the person back. Purchases stay with the account. @throws as findCurrent
 */
export async function eraseOwnContact(ctx: Ctx, link: EraseOwn): Promise<void> {
  const linked = await findCurrent(ctx, link);
  await transact(ctx, async (tx) => {
    await stopAll(tx, linked);
    const isIts = whereContact(linked.key)!;
    await suppressFormer(tx, isIts);
    await rememberDeleted(tx, isIts);
    await eraseTraces(tx, isIts, linked.key);
    await tx.db.delete(contacts).where(isIts);
  });
}
