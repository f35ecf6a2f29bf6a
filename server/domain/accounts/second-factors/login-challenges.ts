import { randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { type LoginChallengePurpose, loginChallenges } from '~/db/schema/logins';
import { hashToken } from '../../../auth/token-hash';
import { later } from '../../../base/time';
import { SECOND_FACTOR_LIMITS } from '../../../limits/accounts';
import type { Ctx } from '../../../runtime/ctx';
import { logInExpired } from '../base/errors';

const TOKEN_BYTES = 32;

/** `userId`: null while the passkey's owner is unknown. `challenge`: what the passkey signs. */
type NewChallenge = { purpose: LoginChallengePurpose; userId: number | null; challenge?: string; lifetime: number };

/** Starts an exchange that a second request finishes. @returns the token for that request */
export async function createChallenge(ctx: Ctx, { lifetime, ...values }: NewChallenge): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = later(ctx.now(), lifetime);
  await ctx.db.insert(loginChallenges).values({ ...values, hash: hashToken(token), expiresAt });
  return token;
}

type Token = { token: string; purpose: LoginChallengePurpose; userId: number | null };

/** Uses a challenge up, even if its answer is wrong: of two concurrent requests, one succeeds. */
export async function consumeChallenge(ctx: Ctx, { token, purpose, userId }: Token): Promise<string | null> {
  const owner = userId === null ? isNull(loginChallenges.userId) : eq(loginChallenges.userId, userId);
  const [row] = await ctx.db
    .delete(loginChallenges)
    .where(and(isPending(ctx, token, purpose), owner))
    .returning({ challenge: loginChallenges.challenge });
  return row?.challenge ?? null;
}

/** The user whose login waits for a second factor. @throws account.log_in_expired, also after too many wrong codes */
export async function readPendingLogIn(ctx: Ctx, token: string): Promise<{ userId: number }> {
  const [row] = await ctx.db
    .select({ userId: loginChallenges.userId })
    .from(loginChallenges)
    .where(and(isPending(ctx, token, 'second_factor'), mayTry));
  if (!row?.userId) throw logInExpired();
  return { userId: row.userId };
}

/** Counts a code before it is checked, so that concurrent guesses see each other. @throws account.log_in_expired */
export async function countCode(ctx: Ctx, token: string): Promise<{ isLast: boolean }> {
  const [row] = await ctx.db
    .update(loginChallenges)
    .set({ attempts: sql`${loginChallenges.attempts} + 1` })
    .where(and(isPending(ctx, token, 'second_factor'), mayTry))
    .returning({ attempts: loginChallenges.attempts });
  if (!row) throw logInExpired();
  return { isLast: row.attempts >= SECOND_FACTOR_LIMITS.attempts };
}

/** Call it after its code was accepted. @throws account.log_in_expired if another request finished this login */
export async function finishPendingLogIn(ctx: Ctx, token: string): Promise<void> {
  const finished = await ctx.db
    .delete(loginChallenges)
    .where(isPending(ctx, token, 'second_factor'))
    .returning({ hash: loginChallenges.hash });
  if (finished.length === 0) throw logInExpired();
}

/** Call it after a password change: pending logins began with the old password. */
export async function deletePendingLogIns(ctx: Ctx, userId: number): Promise<void> {
  const pending = and(eq(loginChallenges.userId, userId), eq(loginChallenges.purpose, 'second_factor'));
  await ctx.db.delete(loginChallenges).where(pending);
}

export async function deleteExpiredChallenges(ctx: Ctx): Promise<void> {
  await ctx.db.delete(loginChallenges).where(lt(loginChallenges.expiresAt, ctx.now()));
}

const mayTry = lt(loginChallenges.attempts, SECOND_FACTOR_LIMITS.attempts);

const isPending = (ctx: Ctx, token: string, purpose: LoginChallengePurpose) =>
  and(
    eq(loginChallenges.hash, hashToken(token)),
    eq(loginChallenges.purpose, purpose),
    gt(loginChallenges.expiresAt, ctx.now()),
  );
