import { checkPassword } from '../../auth/passwords';
import type { Ctx } from '../../ctx';
import { requireUser } from '../../policy/actor';
import { wrongCredentials } from './errors';
import { type CurrentUser, currentUser, lookupUserByEmail, type UserRow } from './queries';
import type { SignIn } from './schema';

export type SignedIn = { token: string; user: CurrentUser };

/** Opens a session. An unknown address and a wrong password look alike and take alike long. @throws account.wrong_credentials */
export async function signIn(ctx: Ctx, { email, password }: SignIn): Promise<SignedIn> {
  const user = await lookupUserByEmail(ctx, email);
  const matches = await checkPassword(user?.passwordHash ?? null, password);
  if (!user || !matches) throw wrongCredentials();
  return signedIn(ctx, user);
}

/** A session for a user who has just proven who they are. */
export async function signedIn(ctx: Ctx, user: UserRow): Promise<SignedIn> {
  const { token } = await ctx.sessions.open(user.id);
  const actor = { type: 'user' as const, userId: user.id, creatorId: null, sessionId: token };
  return { token, user: await currentUser({ ...ctx, actor }) };
}

/** Ends the session that was used; its token is dead at once. */
export async function signOut(ctx: Ctx): Promise<void> {
  requireUser(ctx);
  await ctx.sessions.close();
}
