import { checkPassword } from '../../../auth/passwords';
import { FORGOT_PASSWORD_PATH } from '../../../base/account-paths';
import { languagePrefix } from '../../../base/public-paths';
import { SECOND_FACTOR_LIMITS } from '../../../limits/accounts';
import { requireUser } from '../../../policy/actor';
import { type Client, type Ctx, transact } from '../../../runtime/ctx';
import { hasEnoughEmails, queueAccountEmail } from '../base/email-links';
import { accountSuspended, logInExpired, secondFactorRequired, wrongCode, wrongCredentials } from '../base/errors';
import { type CurrentUser, currentUser, findUser, lookupUserByEmail, type UserRow } from '../base/queries';
import type { AnswerPasskey, FinishLogIn, LogIn } from '../base/schema';
import { countCode, createChallenge, finishPendingLogIn, readPendingLogIn } from '../second-factors/login-challenges';
import { provePasskeyLogIn } from '../second-factors/passkeys';
import {
  checkCode,
  hasSecondFactor,
  markConfirmed,
  type SecondFactors,
  secondFactorsOf,
} from '../second-factors/second-factor';
import { reportNewDevice } from './sessions';

/** The client; says whether the account with an address knows its device. */
type ClientFor = (email: string) => Client;

export type OpenedSession = { token: string; user: CurrentUser };

/**
 * Logs a user in. An unknown address and a wrong password give the same error after the same time, so that attackers
 * can't find out which addresses have an account. @throws account.wrong_credentials, common.logins_busy; with a second
 * factor account.second_factor_required, account.wrong_code
 */
export async function logIn(ctx: Ctx, { email, password, code }: LogIn): Promise<OpenedSession> {
  const user = await lookupUserByEmail(ctx, email);
  const matches = await checkPassword(user?.passwordHash ?? null, password, ctx.client);
  if (!user || !matches) throw wrongCredentials();
  return completeLogIn(ctx, user, { code });
}

/**
 * The last step of every login, after the user has proven who they are with a password or an account at another
 * service. If the account has a second factor and its code is missing, the login waits for the code without a session.
 * Reports a new device.
 * @throws account.second_factor_required, account.wrong_code
 */
export async function completeLogIn(ctx: Ctx, user: UserRow, { code }: { code?: string } = {}): Promise<OpenedSession> {
  const needsCode = await hasSecondFactor(ctx, user.id);
  if (needsCode && !code) {
    await keepPendingLogIn(ctx, user);
    throw secondFactorRequired();
  }
  if (needsCode && code) await checkCode(ctx, user, { code });
  return openReportedSession(ctx, user, { isConfirmed: needsCode });
}

/** The second factors that can finish the login that waits in this browser. @throws account.log_in_expired */
export async function pendingLogIn(ctx: Ctx): Promise<SecondFactors> {
  const { userId } = await readPendingLogIn(ctx, pendingToken(ctx));
  return secondFactorsOf(ctx, userId);
}

/** The second step of a login. @throws account.wrong_code, account.log_in_expired after five wrong ones */
export async function finishLogIn(ctx: Ctx, { code }: FinishLogIn, clientFor: ClientFor): Promise<OpenedSession> {
  const token = pendingToken(ctx);
  const user = await findUser(ctx, (await readPendingLogIn(ctx, token)).userId);
  let isLast = false;
  const onAttempt = async () => {
    isLast = (await countCode(ctx, token)).isLast;
  };
  await checkCode(ctx, user, { code, onAttempt }).catch(async (error) => {
    if (isLast && isWrongCode(error)) await warnOfWrongCodes(ctx, user);
    throw error;
  });
  await finishPendingLogIn(ctx, token);
  return openReportedSession({ ...ctx, client: clientFor(user.email) }, user, { isConfirmed: true });
}

/** Logs in with a passkey alone, which also finishes a login that waits. @throws account.passkey_rejected */
export async function logInWithPasskey(ctx: Ctx, answer: AnswerPasskey, clientFor: ClientFor): Promise<OpenedSession> {
  const { userId } = await provePasskeyLogIn(ctx, answer);
  const user = await findUser(ctx, userId);
  return openReportedSession({ ...ctx, client: clientFor(user.email) }, user, { isConfirmed: true });
}

type Opening = { isConfirmed?: boolean };

async function openReportedSession(ctx: Ctx, user: UserRow, opening: Opening): Promise<OpenedSession> {
  const opened = await openSession(ctx, user, opening);
  await reportNewDevice(ctx, user, opened.token);
  return opened;
}

/**
 * Opens a session for a user who has passed every check. `isConfirmed`: including a second factor.
 * @throws account.suspended
 */
export async function openSession(
  ctx: Ctx,
  user: UserRow,
  { isConfirmed = false }: Opening = {},
): Promise<OpenedSession> {
  if (user.suspendedAt) throw accountSuspended({ email: ctx.settings.operator.email });
  const { token } = await ctx.sessions.open(user.id);
  if (isConfirmed) await markConfirmed(ctx, token);
  ctx.sessions.pendingLogIn?.clear();
  const actor = { type: 'user' as const, userId: user.id, creatorId: null, role: 'owner' as const, sessionId: token };
  return { token, user: await currentUser({ ...ctx, actor }) };
}

/** The client gets a token that works only for the second step. */
async function keepPendingLogIn(ctx: Ctx, { id: userId }: UserRow): Promise<void> {
  const lifetime = SECOND_FACTOR_LIMITS.pendingFor;
  const kept = ctx.sessions.pendingLogIn;
  if (kept) kept.keep(await createChallenge(ctx, { purpose: 'second_factor', userId, lifetime }));
}

/** @throws account.log_in_expired */
function pendingToken(ctx: Ctx): string {
  const token = ctx.sessions.pendingLogIn?.token;
  if (!token) throw logInExpired();
  return token;
}

const isWrongCode = (error: unknown) => error instanceof Error && error.message === wrongCode().message;

/** A person who enters wrong codes knows the password, so the owner should change it. */
async function warnOfWrongCodes(ctx: Ctx, user: UserRow): Promise<void> {
  const prefix = user.language ? languagePrefix(user.language) : '';
  await transact(ctx, async (tx) => {
    if (await hasEnoughEmails(tx, user, 'wrong_codes')) return;
    await queueAccountEmail(tx, user, { topic: 'wrong_codes', url: tx.urls.app(prefix + FORGOT_PASSWORD_PATH) });
  });
}

/** Ends the current session; its token stops working immediately. */
export async function logOut(ctx: Ctx): Promise<void> {
  requireUser(ctx);
  await ctx.sessions.close();
}
