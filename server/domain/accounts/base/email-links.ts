import { randomBytes } from 'node:crypto';
import { and, eq, gt, isNull } from 'drizzle-orm';
import { type EmailLinkPurpose, emailTokens, users } from '~/db/schema/accounts';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { hashToken } from '../../../auth/token-hash';
import { languagePrefix } from '../../../base/public-paths';
import { earlier, later } from '../../../base/time';
import { EMAIL_LINK_LIFETIMES, EMAIL_LINK_LIMITS } from '../../../limits/accounts';
import { isUser } from '../../../policy/actor';
import type { Ctx, TxCtx } from '../../../runtime/ctx';
import { countEmails, queueEmail } from '../../notifications/outbox';
import { type AccountTopic, accountEmail } from '../../notifications/templates/account-email';
import { linkExpired, linkOfOtherAccount } from './errors';
import type { UserRow } from './queries';

/**
 * Links that prove access to an email address. Each works once and expires. Opening one changes nothing, because mail
 * scanners open links as well: its page has a button, and only its POST request uses the link up.
 */
const TOKEN_BYTES = 32;

/**
 * `lifetime`: set if the link must work longer than other links of its purpose. `next`: unchecked; the page that the
 * link opens checks it.
 */
type Link = { purpose: EmailLinkPurpose; path: string; lifetime?: number; next?: string };
type Recipient = Pick<UserRow, 'id' | 'email' | 'name' | 'language' | 'emailVerifiedAt'>;

/** Creates a link to one of our pages, in the recipient's language. @returns its URL */
export async function createEmailLink(tx: TxCtx, user: Recipient, link: Link): Promise<string> {
  const { purpose, path, lifetime = EMAIL_LINK_LIFETIMES[purpose], next } = link;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = later(tx.now(), lifetime);
  await tx.db.insert(emailTokens).values({ hash: hashToken(token), userId: user.id, purpose, expiresAt });
  const query = new URLSearchParams({ token, ...(next && { next }) });
  return tx.urls.app(`${languagePrefix(user.language ?? DEFAULT_LANGUAGE)}${path}?${query}`);
}

type AccountEmail = { topic: AccountTopic; wording?: AccountTopic; id?: string; url: string } & Record<string, string>;

/**
 * Queues an email about the account with one button, in the recipient's language. An unverified address may belong to
 * another person, so a daily limit per topic applies to it. `wording`: set if the texts differ for this recipient. `id`:
 * as in queueEmail.
 */
export async function queueAccountEmail(
  tx: TxCtx,
  user: Recipient,
  { id, topic, wording = topic, url, ...params }: AccountEmail,
): Promise<void> {
  const { id: userId, email: to, name } = user;
  if (!user.emailVerifiedAt && (await hasEnoughEmails(tx, user, topic))) return;
  const language = user.language ?? DEFAULT_LANGUAGE;
  const translate = (key: string, values?: Record<string, string | number>) => tx.translate(key, values, language);
  const { subject, content } = accountEmail(translate, wording, { ...params, name, url });
  await queueEmail(tx, { id, to, userId, topic, language, subject, content });
}

/**
 * Whether the address has reached the daily limit of emails about a topic. Locks the user's row, so that concurrent
 * requests are counted one after the other.
 */
export async function hasEnoughEmails(tx: TxCtx, { id, email }: Recipient, topic: AccountTopic): Promise<boolean> {
  await tx.db.select({ id: users.id }).from(users).where(eq(users.id, id)).for('update');
  const since = earlier(tx.now(), EMAIL_LINK_LIMITS.window);
  return (await countEmails(tx, { to: email, topic, since })) >= EMAIL_LINK_LIMITS.perWindow;
}

type Token = { token: string; purpose: EmailLinkPurpose };

/** Finds the link's user without using the link up, whether it was used or not. @throws account.link_expired */
export async function readEmailLink(ctx: Ctx, { token, purpose }: Token): Promise<{ userId: number; isUsed: boolean }> {
  const [link] = await ctx.db
    .select({ userId: emailTokens.userId, usedAt: emailTokens.usedAt })
    .from(emailTokens)
    .where(and(matches({ token, purpose }), gt(emailTokens.expiresAt, ctx.now())));
  if (!link) throw linkExpired();
  return { userId: link.userId, isUsed: link.usedAt !== null };
}

/**
 * A link that confirms an account's address works only in a session of that account. Otherwise, whoever signs up with
 * another person's address would get what that person has bought, once they open the link (docs/decisions/0315).
 * @throws account.link_of_other_account
 */
export function requireSessionOf(ctx: Pick<Ctx, 'actor'>, userId: number): void {
  if (!isUser(ctx.actor, userId)) throw linkOfOtherAccount();
}

/** Uses a link up: of two concurrent attempts, one succeeds. @throws account.link_expired if it was used before */
export async function consumeEmailLink(tx: TxCtx, { token, purpose }: Token): Promise<{ userId: number }> {
  const now = tx.now();
  const [link] = await tx.db
    .update(emailTokens)
    .set({ usedAt: now })
    .where(and(matches({ token, purpose }), isNull(emailTokens.usedAt), gt(emailTokens.expiresAt, now)))
    .returning({ userId: emailTokens.userId });
  if (!link) throw linkExpired();
  return link;
}

/** Invalidates the user's unused links for a purpose. */
export async function revokeEmailLinks(tx: TxCtx, userId: number, purpose: EmailLinkPurpose): Promise<void> {
  await tx.db
    .delete(emailTokens)
    .where(and(eq(emailTokens.userId, userId), eq(emailTokens.purpose, purpose), isNull(emailTokens.usedAt)));
}

const matches = ({ token, purpose }: Token) =>
  and(eq(emailTokens.hash, hashToken(token)), eq(emailTokens.purpose, purpose));
