import { and, asc, eq, isNull } from 'drizzle-orm';
import { messageOptOuts } from '~/db/schema/buyers';
import { creators } from '~/db/schema/creators';
import type { Language } from '~/locales/languages';
import { languagePrefix, UNSUBSCRIBE_PATH } from '../../../base/public-paths';
import { MESSAGE_LIMITS } from '../../../limits/buyers';
import { requireUser } from '../../../policy/actor';
import type { Ctx } from '../../../runtime/ctx';
import { readSignedToken, signToken } from '../../notifications/signed-tokens';
import { oneClickHeaders } from '../../notifications/unsubscribe';
import { messagesLinkInvalid } from '../base/errors';
import type { AllowMessages, MessagesLink } from '../base/schema';

const SIGNED_FOR = 'stop messages of a creator';

type Pair = { creatorId: number; userId: number };

/** The link that stops a creator's messages to a person, and its headers for email clients (RFC 8058). It never expires. */
export function stopLink(
  ctx: Pick<Ctx, 'vault' | 'urls'>,
  { creatorId, userId }: Pair,
  language: Language,
): { url: string; headers: Record<string, string> } {
  const token = signToken(ctx, `${creatorId} ${userId}`, SIGNED_FOR);
  const url = ctx.urls.app(`${languagePrefix(language)}${UNSUBSCRIBE_PATH}?messages=${token}`);
  return { url, headers: oneClickHeaders(url) };
}

/** The creator whose messages a link would stop, without stopping them. @throws buyer.messages_link_invalid */
export async function findSender(ctx: Ctx, input: MessagesLink): Promise<{ creator: string }> {
  const { creatorId } = readLink(ctx, input);
  const isOpen = and(eq(creators.id, creatorId), isNull(creators.closedAt));
  const [creator] = await ctx.db.select({ name: creators.name }).from(creators).where(isOpen);
  if (!creator) throw messagesLinkInvalid();
  return { creator: creator.name };
}

/** Stops a creator's messages to a person. Repeating it succeeds. @throws buyer.messages_link_invalid */
export async function stopMessages(ctx: Ctx, input: MessagesLink): Promise<void> {
  const pair = readLink(ctx, input);
  await findSender(ctx, input);
  await stopMessagesTo(ctx, pair);
}

/** The job for a person who wants no emails of a creator at all. */
export async function stopMessagesTo({ db, now }: Ctx, { creatorId, userId }: Pair): Promise<void> {
  await db.insert(messageOptOuts).values({ creatorId, userId, createdAt: now() }).onConflictDoNothing();
}

/** The creators whose messages the user has stopped. */
export async function listStopped(ctx: Ctx): Promise<{ creatorId: number; name: string }[]> {
  const { userId } = requireUser(ctx);
  return ctx.db
    .select({ creatorId: creators.id, name: creators.name })
    .from(messageOptOuts)
    .innerJoin(creators, eq(creators.id, messageOptOuts.creatorId))
    .where(eq(messageOptOuts.userId, userId))
    .orderBy(asc(creators.name), asc(creators.id))
    .limit(MESSAGE_LIMITS.stopped);
}

/** Lets a creator write to the user again. Repeating it succeeds. */
export async function allowMessages(ctx: Ctx, { creatorId }: AllowMessages): Promise<void> {
  const { userId } = requireUser(ctx);
  await ctx.db.delete(messageOptOuts).where(isBetween({ creatorId, userId }));
}

export const hasStopped = async ({ db }: Pick<Ctx, 'db'>, pair: Pair): Promise<boolean> =>
  (await db.$count(messageOptOuts, isBetween(pair))) > 0;

const isBetween = ({ creatorId, userId }: Pair) =>
  and(eq(messageOptOuts.creatorId, creatorId), eq(messageOptOuts.userId, userId));

function readLink(ctx: Ctx, { token }: MessagesLink): Pair {
  const text = readSignedToken(ctx, token, SIGNED_FOR) ?? '';
  const [, creatorId, userId] = /^([1-9]\d{0,14}) ([1-9]\d{0,14})$/.exec(text) ?? [];
  if (userId === undefined) throw messagesLinkInvalid();
  return { creatorId: Number(creatorId), userId: Number(userId) };
}
