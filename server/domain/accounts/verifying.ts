import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import { emailTokens, sessions, users } from '~/db/schema/accounts';
import { type Ctx, type TxCtx, transact } from '../../ctx';
import { VERIFICATION_LIMITS } from '../../limits/accounts';
import { requireUser } from '../../policy/actor';
import { languagePrefix, VERIFY_EMAIL_PATH } from '../../public-paths';
import { later } from '../../time';
import { queueEmail } from '../notifications/outbox';
import { verifyEmailTemplate } from '../notifications/templates/verify-email';
import { linkExpired } from './errors';
import { findUser, type UserRow } from './queries';

const TOKEN_BYTES = 32;
const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** Queues the email with the link that proves ownership of the address. */
export async function queueVerificationEmail(tx: TxCtx, user: UserRow): Promise<void> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = later(tx.now(), VERIFICATION_LIMITS.lifetime);
  await tx.db
    .insert(emailTokens)
    .values({ hash: hashToken(token), userId: user.id, purpose: 'verify_email', expiresAt });
  const url = tx.urls.app(`${languagePrefix(user.language)}${VERIFY_EMAIL_PATH}?token=${token}`);
  const { subject, content } = verifyEmailTemplate((key, params) => tx.translate(key, params, user.language), {
    name: user.name,
    url,
  });
  const { id: userId, email: to, language } = user;
  await queueEmail(tx, { to, userId, topic: 'verify_email', language, subject, content });
}

/** Verifies the address that received the link. Clicking the same link again succeeds. @throws account.link_expired */
export async function verifyEmail(ctx: Ctx, { token }: { token: string }): Promise<{ email: string }> {
  return transact(ctx, async (tx) => {
    const now = tx.now();
    const [link] = await tx.db
      .update(emailTokens)
      .set({ usedAt: now })
      .where(
        and(
          eq(emailTokens.hash, hashToken(token)),
          eq(emailTokens.purpose, 'verify_email'),
          gt(emailTokens.expiresAt, now),
        ),
      )
      .returning({ userId: emailTokens.userId });
    if (!link) throw linkExpired();
    await tx.db
      .update(users)
      .set({ emailVerifiedAt: now })
      .where(and(eq(users.id, link.userId), isNull(users.emailVerifiedAt)));
    return { email: (await findUser(tx, link.userId)).email };
  });
}

/** Sends the current user another link, unless the address is already verified. */
export async function resendVerification(ctx: Ctx): Promise<void> {
  const user = await findUser(ctx, requireUser(ctx).userId);
  if (user.emailVerifiedAt) return;
  await transact(ctx, (tx) => queueVerificationEmail(tx, user));
}

/** Deletes expired sessions and email links. */
export async function deleteExpired(ctx: Ctx): Promise<void> {
  await ctx.db.delete(sessions).where(lt(sessions.expiresAt, ctx.now()));
  await ctx.db.delete(emailTokens).where(lt(emailTokens.expiresAt, ctx.now()));
}
