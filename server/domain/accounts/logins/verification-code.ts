import { randomInt, timingSafeEqual } from 'node:crypto';
import { and, desc, eq, gt, lt, sql, sum } from 'drizzle-orm';
import { emailCodes, users } from '~/db/schema/accounts';
import { earlier, later } from '../../../base/time';
import { EMAIL_CODE_LIMITS } from '../../../limits/accounts';
import { requireUser } from '../../../policy/actor';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { emailCodeExpired, emailCodeWrong } from '../base/errors';
import type { UserRow } from '../base/queries';
import type { VerifyByCode } from '../base/schema';
import { markEmailVerified } from './mark-verified';

type Person = Pick<UserRow, 'id' | 'email'>;

/** Creates the code of a verification email. Earlier codes stop working. */
export async function createEmailCode(tx: TxCtx, { id: userId, email }: Person): Promise<string> {
  const code = String(randomInt(10 ** EMAIL_CODE_LIMITS.digits)).padStart(EMAIL_CODE_LIMITS.digits, '0');
  const now = tx.now();
  const expiresAt = later(now, EMAIL_CODE_LIMITS.lifetime);
  await tx.db
    .insert(emailCodes)
    .values({ userId, email, hash: fingerprint(tx, userId, code), expiresAt, createdAt: now });
  return code;
}

/**
 * Verifies the current user's address with the newest code that it got. Each attempt is counted before the code is
 * compared, also if it fails; the lock lets concurrent attempts see each other. Repeating it succeeds.
 * @throws account.email_code_wrong, account.email_code_expired
 */
export async function verifyEmailByCode(ctx: Ctx, { code }: VerifyByCode): Promise<{ email: string }> {
  const { userId } = requireUser(ctx);
  const { user, outcome } = await transact(ctx, async (tx) => {
    const [found] = await tx.db.select().from(users).where(eq(users.id, userId)).for('update');
    const user = found!;
    if (user.emailVerifiedAt) return { user, outcome: 'verified' as const };
    const stored = await countAttempt(tx, user);
    if (stored === null) return { user, outcome: 'expired' as const };
    if (!isSame(stored, fingerprint(tx, userId, code))) return { user, outcome: 'wrong' as const };
    await tx.db.delete(emailCodes).where(eq(emailCodes.userId, userId));
    await markEmailVerified(tx, userId);
    return { user, outcome: 'verified' as const };
  });
  // after the commit, which counts the attempt
  if (outcome === 'expired') throw emailCodeExpired();
  if (outcome === 'wrong') throw emailCodeWrong();
  return { email: user.email };
}

/** The fingerprint of the newest code, if it may still be tried. @param user the locked row */
async function countAttempt(tx: TxCtx, { id, email }: Person): Promise<string | null> {
  const now = tx.now();
  const [newest] = await tx.db
    .select({ id: emailCodes.id })
    .from(emailCodes)
    .where(eq(emailCodes.userId, id))
    .orderBy(desc(emailCodes.createdAt), desc(emailCodes.id))
    .limit(1);
  const [counted] = await tx.db
    .select({ attempts: sum(emailCodes.attempts).mapWith(Number) })
    .from(emailCodes)
    .where(and(eq(emailCodes.userId, id), gt(emailCodes.createdAt, earlier(now, EMAIL_CODE_LIMITS.kept))));
  if (!newest || (counted?.attempts ?? 0) >= EMAIL_CODE_LIMITS.perDay) return null;
  const isUsable = and(
    eq(emailCodes.id, newest.id),
    eq(emailCodes.email, email),
    gt(emailCodes.expiresAt, now),
    lt(emailCodes.attempts, EMAIL_CODE_LIMITS.attempts),
  );
  const [row] = await tx.db
    .update(emailCodes)
    .set({ attempts: sql`${emailCodes.attempts} + 1` })
    .where(isUsable)
    .returning({ hash: emailCodes.hash });
  return row?.hash ?? null;
}

/** Deletes codes that no longer count. */
export async function deleteOldCodes(ctx: Ctx): Promise<void> {
  await ctx.db.delete(emailCodes).where(lt(emailCodes.createdAt, earlier(ctx.now(), EMAIL_CODE_LIMITS.kept)));
}

const fingerprint = ({ vault }: Pick<Ctx, 'vault'>, userId: number, code: string) =>
  vault.fingerprint(code, `email code ${userId}`);

const isSame = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other));
