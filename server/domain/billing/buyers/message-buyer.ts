import { and, desc, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { buyerMessages } from '~/db/schema/buyers';
import { creators } from '~/db/schema/creators';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { earlier, wholeSeconds } from '../../../base/time';
import { MESSAGE_LIMITS } from '../../../limits/buyers';
import { authorize } from '../../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { findUser } from '../../accounts/base/queries';
import { requireVerifiedEmail } from '../../accounts/logins/verify-email';
import { type CreatorRow, lockCreator } from '../../creators/queries';
import { requirePublishing } from '../../creators/suspend-publishing';
import { queueEmail } from '../../notifications/outbox';
import { findProductRecord, type ProductRow } from '../../products/queries';
import { recordActivity } from '../../team/activity';
import { buyerNotFound, messageFormUsed, notAddressable, tooManyMessages, tooManyToPerson } from '../base/errors';
import type { MessageBuyer } from '../base/schema';
import { type BuyerView, lookupBuyer } from './buyer-list';
import { hasStopped, stopLink } from './stop-messages';

const TOPIC = 'buyer_message';

/**
 * Emails a message of the creator's team to a buyer of the show. Answers go to the creator's own address. Sending a form
 * twice sends one email.
 * @throws product.not_found, buyer.not_found, buyer.not_addressable, buyer.message_form_used, buyer.too_many_messages,
 * buyer.too_many_to_person, account.email_not_verified, creator.publishing_stopped, common.role_not_allowed
 */
export async function messageBuyer(ctx: Ctx, { id, kind, userId, ...message }: MessageBuyer): Promise<void> {
  const { product } = await findProductRecord(ctx, id, kind);
  const show = authorize(ctx, 'product.manageBuyers', product);
  await requireVerifiedEmail(ctx);
  const buyer = await lookupBuyer(ctx, show, userId);
  if (!buyer) throw buyerNotFound();
  const { creatorId, name } = show;
  await transact(ctx, async (tx) => {
    // of two concurrent messages, the second one counts the first
    const creator = await lockCreator(tx, creatorId);
    await requirePublishing(tx, creatorId);
    const person = await findAddressee(tx, creatorId, buyer);
    if (!(await isNew(tx, { creatorId, userId, ...message }))) return;
    await assertWithinLimits(tx, { creatorId, userId });
    await recordActivity(tx, { creatorId, action: 'buyer.messaged', subjectId: userId, params: { name } });
    await queueMessage(tx, { creator, show, person, message });
  });
}

/**
 * People who were only invited by an address have no name here, and get no messages: an answer would reveal that the
 * address has an account, and a creator could invite any address.
 */
async function findAddressee(tx: TxCtx, creatorId: number, { userId, name }: BuyerView) {
  const isOpen = and(isNull(users.deletedAt), isNull(users.deletionRequestedAt));
  const [person] = await tx.db
    .select({ id: users.id, email: users.email, language: users.language })
    .from(users)
    .where(and(eq(users.id, userId), isOpen));
  if (!person) throw buyerNotFound();
  if (name === null || (await hasStopped(tx, { creatorId, userId }))) throw notAddressable();
  return person;
}

type Message = Pick<MessageBuyer, 'key' | 'subject' | 'text'>;

/** Whether the form was not sent before. @throws buyer.message_form_used if it sent another message */
async function isNew({ db, now }: TxCtx, message: Message & Recipient): Promise<boolean> {
  const row = { ...message, createdAt: now() };
  const written = await db.insert(buyerMessages).values(row).onConflictDoNothing().returning({ id: buyerMessages.id });
  if (written.length > 0) return true;
  const { creatorId, userId, key, subject, text } = buyerMessages;
  const sentByForm = and(eq(creatorId, message.creatorId), eq(key, message.key));
  const isSame = and(sentByForm, eq(userId, message.userId), eq(subject, message.subject), eq(text, message.text));
  if ((await db.$count(buyerMessages, isSame)) === 0) throw messageFormUsed();
  return false;
}

/** Counts the new message, too. */
async function assertWithinLimits(tx: TxCtx, { creatorId, userId }: Recipient): Promise<void> {
  const { window, perWindow, perPerson } = MESSAGE_LIMITS;
  const recent = and(eq(buyerMessages.creatorId, creatorId), gt(buyerMessages.createdAt, earlier(tx.now(), window)));
  const seconds = wholeSeconds(window);
  if ((await tx.db.$count(buyerMessages, recent)) > perWindow) throw tooManyMessages({ count: perWindow, seconds });
  const toPerson = and(recent, eq(buyerMessages.userId, userId));
  if ((await tx.db.$count(buyerMessages, toPerson)) > perPerson) throw tooManyToPerson({ count: perPerson, seconds });
}

type Person = Awaited<ReturnType<typeof findAddressee>>;
type Letter = { creator: CreatorRow; show: ProductRow; person: Person; message: Message };

/** The email names the creator and the reason, and has a link that stops such messages. */
async function queueMessage(tx: TxCtx, { creator, show, person, message }: Letter): Promise<void> {
  const language = person.language ?? DEFAULT_LANGUAGE;
  const facts = { creator: creator.name, show: show.name };
  const text = (part: string) => tx.translate(`mail:buyer_message.${part}`, facts, language);
  const stop = stopLink(tx, { creatorId: creator.id, userId: person.id }, language);
  await queueEmail(tx, {
    to: person.email,
    userId: person.id,
    topic: TOPIC,
    language,
    subject: `${creator.name}: ${message.subject}`,
    content: {
      heading: text('heading'),
      paragraphs: [message.subject, ...message.text.split(/\n{2,}/)],
      footer: text('footer'),
      footerLink: { label: text('stop'), url: stop.url },
    },
    headers: { ...stop.headers, 'Reply-To': await replyAddress(tx, creator) },
  });
}

/** The address to which a person answers: that of the creator's owner. */
export async function replyAddress(ctx: Ctx, { userId }: Pick<CreatorRow, 'userId'>): Promise<string> {
  return (await findUser(ctx, userId)).email;
}

type Recipient = { creatorId: number; userId: number };
export type SentMessage = { id: number; subject: string; text: string; createdAt: Date };

/** The latest messages to a person, the newest first. Callers check the role. */
export function listMessages({ db }: Pick<Ctx, 'db'>, { creatorId, userId }: Recipient): Promise<SentMessage[]> {
  const { id, subject, text, createdAt } = buyerMessages;
  return db
    .select({ id, subject, text, createdAt })
    .from(buyerMessages)
    .where(and(eq(buyerMessages.creatorId, creatorId), eq(buyerMessages.userId, userId)))
    .orderBy(desc(createdAt), desc(id))
    .limit(MESSAGE_LIMITS.listed);
}

/** Deletes the messages to a person, and those of the person's own team. Repeating it is harmless. */
export async function eraseBuyerMessages({ db }: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  await db.delete(buyerMessages).where(or(eq(buyerMessages.userId, userId), inArray(buyerMessages.creatorId, own)));
}
