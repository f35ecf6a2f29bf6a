import { and, eq, gt, isNotNull, isNull, lt, or } from 'drizzle-orm';
import { sessions } from '~/db/schema/accounts';
import { authenticators, passkeys } from '~/db/schema/logins';
import { checkPassword } from '../../../auth/passwords';
import { hashToken } from '../../../auth/token-hash';
import { matchTotp } from '../../../auth/totp';
import { earlier } from '../../../base/time';
import { SECOND_FACTOR_LIMITS } from '../../../limits/accounts';
import { requireUser } from '../../../policy/actor';
import type { Ctx } from '../../../runtime/ctx';
import {
  confirmationRequired,
  passwordMissing,
  secondFactorRequired,
  wrongCode,
  wrongConfirmation,
  wrongPassword,
} from '../base/errors';
import { findUser, type UserRow } from '../base/queries';
import type { ConfirmIdentity } from '../base/schema';
import { consumeRecoveryCode } from './recovery-codes';

/** The user's second factors. Any of them turns two-factor authentication on (docs/decisions/0131). */
export type SecondFactors = { authenticator: boolean; passkeys: number };

export async function secondFactorsOf(ctx: Ctx, userId: number): Promise<SecondFactors> {
  const isOn = and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt));
  const [apps, keys] = [
    await ctx.db.$count(authenticators, isOn),
    await ctx.db.$count(passkeys, eq(passkeys.userId, userId)),
  ];
  return { authenticator: apps > 0, passkeys: keys };
}

export async function hasSecondFactor(ctx: Ctx, userId: number): Promise<boolean> {
  const factors = await secondFactorsOf(ctx, userId);
  return factors.authenticator || factors.passkeys > 0;
}

/**
 * Guards actions that move money, such as a change of the payout address or a payout request. Passes if the account has
 * no second factor, if the user proved one in this session within the last ten minutes, or with a code from the
 * authenticator app or a recovery code. @throws account.second_factor_required, account.wrong_code, both on the field
 * `code`
 */
export async function requireSecondFactor(ctx: Ctx, { code }: { code?: string }): Promise<void> {
  const { userId } = requireUser(ctx);
  if (!(await hasSecondFactor(ctx, userId)) || (await isConfirmed(ctx))) return;
  await confirmWithCode(ctx, await findUser(ctx, userId), code);
}

type GivenProof = { code?: string; currentPassword: string };

/**
 * Guards changes that could cost money: requires the second factor, or the password if there is no second factor,
 * unless the user proved it in this session within the last ten minutes.
 * @throws account.second_factor_required, account.wrong_code; account.wrong_password, account.password_missing
 */
export async function requireProof(ctx: Ctx, { code, currentPassword }: GivenProof): Promise<UserRow> {
  const { userId } = requireUser(ctx);
  const user = await findUser(ctx, userId);
  if (await isConfirmed(ctx)) return user;
  if (await hasSecondFactor(ctx, userId)) await confirmWithCode(ctx, user, code);
  else await requirePassword(ctx, user, currentPassword);
  return user;
}

/** Accounts that were created with Google or Facebook must set a password first. */
async function requirePassword(ctx: Ctx, user: UserRow, currentPassword: string): Promise<void> {
  if (user.passwordHash === null) throw passwordMissing();
  if (!(await checkPassword(user.passwordHash, currentPassword, ctx.client))) throw wrongPassword();
}

/**
 * Guards changes of second factors: the user must have proven the second factor, or the password if there is no second
 * factor, in this session within the last ten minutes.
 * @throws account.confirmation_required
 */
export async function requireConfirmation(ctx: Ctx): Promise<void> {
  if ((await missingProof(ctx)) !== null) throw confirmationRequired();
}

export type Proof = 'second_factor' | 'password';

/**
 * The proof that is still missing; null if none is. An account with neither second factor nor password can prove
 * nothing.
 */
export async function missingProof(ctx: Ctx): Promise<Proof | null> {
  const { userId } = requireUser(ctx);
  if (await isConfirmed(ctx)) return null;
  if (await hasSecondFactor(ctx, userId)) return 'second_factor';
  return (await findUser(ctx, userId)).passwordHash === null ? null : 'password';
}

/**
 * Confirms that the owner is using this session, by a code, or by the password if there is no second factor.
 * @throws account.second_factor_required, account.wrong_code, account.wrong_password
 */
export async function confirmIdentity(ctx: Ctx, { code, confirmationPassword }: ConfirmIdentity): Promise<void> {
  const user = await findUser(ctx, requireUser(ctx).userId);
  if (await hasSecondFactor(ctx, user.id)) return confirmWithCode(ctx, user, code);
  if (!(await checkPassword(user.passwordHash, confirmationPassword, ctx.client))) throw wrongConfirmation();
  await markConfirmed(ctx);
}

async function confirmWithCode(ctx: Ctx, user: UserRow, code: string | undefined): Promise<void> {
  if (!code) throw secondFactorRequired();
  await checkCode(ctx, user, { code });
  await markConfirmed(ctx);
}

type Code = { code: string; onAttempt?: () => Promise<void> };

/**
 * Accepts a code of the authenticator app or a recovery code, once. Wrong codes slow further attempts down.
 * @throws account.wrong_code, common.too_many_requests
 */
export async function checkCode(ctx: Ctx, { id, email }: UserRow, { code, onAttempt }: Code): Promise<void> {
  const plain = code.toLowerCase().replace(/[\s-]/g, '');
  // recovery codes are longer, and too long to guess
  const isGuessable = /^\d{0,9}$/.test(plain);
  await ctx.codes.attempt({ email, isGuessable }, async () => {
    await onAttempt?.();
    const isRight = isGuessable ? await acceptTotp(ctx, id, plain) : await consumeRecoveryCode(ctx, id, plain);
    if (!isRight) throw wrongCode();
  });
}

/** Each time step is accepted once, so a code that was read over the user's shoulder is worthless. */
async function acceptTotp(ctx: Ctx, userId: number, code: string): Promise<boolean> {
  const ofUser = and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt));
  const [row] = await ctx.db.select().from(authenticators).where(ofUser);
  const step = row ? matchTotp(ctx.vault.open(row.secret, authenticatorOwner(userId)), code, ctx.now()) : null;
  if (step === null) return false;
  const accepted = await ctx.db
    .update(authenticators)
    .set({ lastStep: step })
    .where(and(ofUser, or(isNull(authenticators.lastStep), lt(authenticators.lastStep, step))))
    .returning({ userId: authenticators.userId });
  return accepted.length === 1;
}

/** Associated data that ties a sealed secret to its row. */
export const authenticatorOwner = (userId: number) => `authenticator ${userId}`;

async function isConfirmed(ctx: Ctx): Promise<boolean> {
  const { sessionId } = requireUser(ctx);
  const since = earlier(ctx.now(), SECOND_FACTOR_LIMITS.confirmedFor);
  return (
    (await ctx.db.$count(sessions, and(eq(sessions.id, hashToken(sessionId)), gt(sessions.confirmedAt, since)))) > 0
  );
}

/**
 * Whether a browser began this session, which somebody else may have taken over. The API accepts its token, too, so the
 * door alone does not tell.
 */
export async function isBrowserSession(ctx: Ctx): Promise<boolean> {
  const { sessionId } = requireUser(ctx);
  const ofApi = and(eq(sessions.id, hashToken(sessionId)), eq(sessions.channel, 'rest'));
  return ctx.client.channel === 'web' || (await ctx.db.$count(sessions, ofApi)) === 0;
}

/** Confirms the current session by default. */
export async function markConfirmed(ctx: Ctx, token = requireUser(ctx).sessionId): Promise<void> {
  await ctx.db
    .update(sessions)
    .set({ confirmedAt: ctx.now() })
    .where(eq(sessions.id, hashToken(token)));
}
