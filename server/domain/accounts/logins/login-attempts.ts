import { randomBytes } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import { type LoginChallengePurpose, loginChallenges } from '~/db/schema/logins';
import { hashToken } from '../../../auth/token-hash';
import { later } from '../../../base/time';
import type { Ctx, TxCtx } from '../../../runtime/ctx';
import { identityExpired } from '../base/errors';

/**
 * State that a login at another service, or the connection of a payment account, keeps between its steps. Only its key
 * finds it, which contains the secret of the browser in which it began.
 */
type Purpose = Extract<
  LoginChallengePurpose,
  'identity_attempt' | 'identity_pending' | 'seller_account' | 'spotify_link'
>;
type Kept<T> = { userId: number | null; facts: T };

const SECRET_BYTES = 32;

export const randomSecret = () => randomBytes(SECRET_BYTES).toString('base64url');

/** Replaces the former state of the key. `userId`: the user, if known. */
export async function keepAttempt<T>(
  ctx: Ctx,
  { key, purpose }: { key: string; purpose: Purpose },
  { userId, facts, lifetime }: Kept<T> & { lifetime: number },
): Promise<void> {
  const now = ctx.now();
  const row = { purpose, userId, challenge: JSON.stringify(facts), createdAt: now, expiresAt: later(now, lifetime) };
  await ctx.db
    .insert(loginChallenges)
    .values({ hash: hashToken(key), ...row })
    .onConflictDoUpdate({ target: loginChallenges.hash, set: row });
}

/** @throws identity.expired */
export async function readAttempt<T>(ctx: Ctx, key: string, purpose: Purpose): Promise<Kept<T>> {
  const [row] = await ctx.db
    .select()
    .from(loginChallenges)
    .where(matches(ctx, key, purpose));
  return toKept(row);
}

/** Uses the attempt up: of two concurrent attempts, one succeeds. @throws identity.expired */
export async function takeAttempt<T>(ctx: Ctx | TxCtx, key: string, purpose: Purpose): Promise<Kept<T>> {
  const [row] = await ctx.db
    .delete(loginChallenges)
    .where(matches(ctx, key, purpose))
    .returning();
  return toKept(row);
}

function toKept<T>(row: typeof loginChallenges.$inferSelect | undefined): Kept<T> {
  if (!row?.challenge) throw identityExpired();
  return { userId: row.userId, facts: JSON.parse(row.challenge) as T };
}

const matches = (ctx: Pick<Ctx, 'now'>, key: string, purpose: Purpose) =>
  and(
    eq(loginChallenges.hash, hashToken(key)),
    eq(loginChallenges.purpose, purpose),
    gt(loginChallenges.expiresAt, ctx.now()),
  );
