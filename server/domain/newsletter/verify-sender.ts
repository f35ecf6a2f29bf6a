import { and, eq, exists, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { newsletters } from '~/db/schema/newsletter';
import { members } from '~/db/schema/team';
import { languagePrefix, NEWSLETTER_SENDER_PATH } from '../../base/public-paths';
import { earlier, wholeSeconds } from '../../base/time';
import { EMAIL_LINK_LIMITS } from '../../limits/accounts';
import { SENDER_LIMITS } from '../../limits/newsletter';
import { currentCreator, requireUser } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockCreator } from '../creators/queries';
import { addressToken, lockAddress, readAddressToken } from '../notifications/address-links';
import { countEmails, countEmailsOf, queueEmail } from '../notifications/outbox';
import { accountEmail } from '../notifications/templates/account-email';
import { recordActivity } from '../team/activity';
import { senderLinkExpired, tooManySenderEmails } from './errors';
import type { SenderLink } from './schema';

/**
 * Answers to a newsletter go to an address that the creator has entered. Before its owner has opened a link, nobody's
 * answers go there: otherwise they would reach a person who has nothing to do with the newsletter.
 */
const TOPIC = 'newsletter_sender';
const SIGNED = { purpose: 'verify the sender of a newsletter', lifetime: SENDER_LIMITS.linkLifetime };

type Newsletter = { creatorId: number; name: string; senderEmail: string };

/**
 * When the new address was verified; null if it still has to be, in which case the email with the link is queued. A
 * verified address of the owner or a member needs none. @throws newsletter.too_many_sender_emails
 */
export async function senderVerification(
  tx: TxCtx,
  after: Newsletter,
  before: { senderEmail: string; senderVerifiedAt: Date | null } | null,
): Promise<Date | null> {
  if (before?.senderEmail === after.senderEmail && before.senderVerifiedAt) return before.senderVerifiedAt;
  if (await isTeamAddress(tx, after)) return tx.now();
  if (before?.senderEmail !== after.senderEmail) await queueSenderEmail(tx, after);
  return null;
}

async function isTeamAddress({ db }: TxCtx, { creatorId, senderEmail }: Newsletter): Promise<boolean> {
  const owns = db
    .select({ id: creators.id })
    .from(creators)
    .where(and(eq(creators.id, creatorId), eq(creators.userId, users.id)));
  const works = db
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.creatorId, creatorId), eq(members.userId, users.id)));
  const isOne = and(eq(users.email, senderEmail), isNotNull(users.emailVerifiedAt), or(exists(owns), exists(works)));
  return (await db.$count(users, isOne)) > 0;
}

async function queueSenderEmail(tx: TxCtx, { creatorId, name, senderEmail: to }: Newsletter): Promise<void> {
  await lockAddress(tx, to);
  const toAddress = { to, topic: TOPIC, since: earlier(tx.now(), EMAIL_LINK_LIMITS.window) };
  const { userId } = requireUser(tx);
  const ofAccount = { userId, topic: TOPIC, since: earlier(tx.now(), SENDER_LIMITS.window) };
  if (
    (await countEmails(tx, toAddress)) >= EMAIL_LINK_LIMITS.perWindow ||
    (await countEmailsOf(tx, ofAccount)) >= SENDER_LIMITS.perAccount
  )
    throw tooManySenderEmails({ seconds: wholeSeconds(SENDER_LIMITS.window) });
  const token = addressToken(tx, { email: to, id: creatorId, issuedAt: tx.now() }, SIGNED.purpose);
  const url = tx.urls.app(`${languagePrefix(tx.language)}${NEWSLETTER_SENDER_PATH}?token=${token}`);
  const { subject, content } = accountEmail(tx.translate, TOPIC, { name, url, email: to });
  await queueEmail(tx, { to, userId, creatorId, topic: TOPIC, language: tx.language, subject, content });
}

/**
 * Sends the link again, unless the address is verified.
 * @throws newsletter.too_many_sender_emails, common.role_not_allowed
 */
export async function resendSenderEmail(ctx: Ctx): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    await lockCreator(tx, creatorId);
    const [newsletter] = await tx.db.select().from(newsletters).where(eq(newsletters.creatorId, creatorId));
    if (!newsletter || newsletter.senderVerifiedAt) return;
    await queueSenderEmail(tx, newsletter);
    const { name, senderEmail } = newsletter;
    await recordActivity(tx, { creatorId, action: 'newsletter.sender_asked', params: { name, email: senderEmail } });
  });
}

type Claimed = { email: string; newsletter: string; isVerified: boolean };

/**
 * The address that a link would verify, without verifying it.
 * @throws newsletter.sender_link_expired, also if the newsletter has another address by now
 */
export async function senderLink(ctx: Ctx, input: SenderLink): Promise<Claimed> {
  const { email, row } = await findClaimed(ctx, input);
  return { email, newsletter: row.name, isVerified: row.senderVerifiedAt !== null };
}

/** Verifies the address that received the link. Repeating it succeeds. @throws newsletter.sender_link_expired */
export async function confirmSender(ctx: Ctx, input: SenderLink): Promise<Claimed> {
  const { email, row } = await findClaimed(ctx, input);
  const changed = await ctx.db
    .update(newsletters)
    .set({ senderVerifiedAt: sql`coalesce(${newsletters.senderVerifiedAt}, ${ctx.now().toISOString()}::timestamptz)` })
    .where(and(eq(newsletters.creatorId, row.creatorId), eq(newsletters.senderEmail, email)))
    .returning({ id: newsletters.creatorId });
  if (changed.length === 0) throw senderLinkExpired();
  return { email, newsletter: row.name, isVerified: true };
}

async function findClaimed(ctx: Ctx, { token }: SenderLink) {
  const claim = readAddressToken(ctx, token, SIGNED);
  if (!claim) throw senderLinkExpired();
  const isClaimed = and(eq(newsletters.creatorId, claim.id), eq(newsletters.senderEmail, claim.email));
  const [row] = await ctx.db.select().from(newsletters).where(isClaimed);
  if (!row) throw senderLinkExpired();
  return { email: claim.email, row };
}

/**
 * Where answers go, in SQL with `newsletters`, `creators` and its owner in `users`: the owner's verified address until
 * the newsletter's is verified; null if neither is.
 */
export const replyAddress = (): SQL<string | null> => sql<string | null>`case
  when ${newsletters.senderVerifiedAt} is not null then ${newsletters.senderEmail}
  when ${users.emailVerifiedAt} is not null then ${users.email} end`;

/** Where answers to a creator's newsletter go now; null if they go nowhere. */
export async function findReplyAddress({ db }: Pick<Ctx, 'db'>, creatorId: number): Promise<string | null> {
  const [row] = await db
    .select({ address: replyAddress() })
    .from(newsletters)
    .innerJoin(creators, eq(creators.id, newsletters.creatorId))
    .innerJoin(users, eq(users.id, creators.userId))
    .where(eq(newsletters.creatorId, creatorId));
  return row?.address ?? null;
}
