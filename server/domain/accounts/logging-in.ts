import { checkPassword } from '../../auth/passwords';
import type { Ctx } from '../../ctx';
import { requireUser } from '../../policy/actor';
import { wrongCredentials } from './errors';
import { type CurrentUser, currentUser, lookupUserByEmail, type UserRow } from './queries';
import type { LogIn } from './schema';
import { reportNewDevice } from './sessions';

export type OpenedSession = { token: string; user: CurrentUser };

/**
 * Logs a user in. An unknown address and a wrong password give the same error after the same time, so that nobody can
 * find out which addresses have an account. @throws account.wrong_credentials, common.logins_busy
 */
export async function logIn(ctx: Ctx, { email, password }: LogIn): Promise<OpenedSession> {
  const user = await lookupUserByEmail(ctx, email);
  const matches = await checkPassword(user?.passwordHash ?? null, password, ctx.client);
  if (!user || !matches) throw wrongCredentials();
  return completeLogIn(ctx, user);
}

/**
 * The end of every log-in, whatever proved who the user is: a password, or an account at another service. Reports a new
 * device.
 */
export async function completeLogIn(ctx: Ctx, user: UserRow): Promise<OpenedSession> {
  const opened = await openSession(ctx, user);
  await reportNewDevice(ctx, user, opened.token);
  return opened;
}

/** Opens a session for a user whose identity has just been proven. */
export async function openSession(ctx: Ctx, user: UserRow): Promise<OpenedSession> {
  const { token } = await ctx.sessions.open(user.id);
  const actor = { type: 'user' as const, userId: user.id, creatorId: null, sessionId: token };
  return { token, user: await currentUser({ ...ctx, actor }) };
}

/** Ends the current session; its token stops working immediately. */
export async function logOut(ctx: Ctx): Promise<void> {
  requireUser(ctx);
  await ctx.sessions.close();
}
