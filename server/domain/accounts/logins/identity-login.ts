import { and, eq } from 'drizzle-orm';
import { identities } from '~/db/schema/logins';
import type { Language } from '~/locales/languages';
import type { LoginSecrets, ProvenIdentity, ProviderName } from '../../../adapters/identity/port';
import { AppError } from '../../../base/errors';
import { identityCallbackPath } from '../../../base/public-paths';
import { IDENTITY_LIMITS } from '../../../limits/accounts';
import { requireUser } from '../../../policy/actor';
import { type Client, type Ctx, transact } from '../../../runtime/ctx';
import { requireSwitch } from '../../reference/switches';
import {
  identityMixedUp,
  identityTaken,
  otherIdentityConnected,
  secondFactorRequired,
  unverifiedHere,
  unverifiedThere,
} from '../base/errors';
import { findUser, lookupUserByEmail, type UserRow } from '../base/queries';
import { assertOldEnough } from '../base/rules';
import type { BeginIdentityLogin, FinishIdentityLogin, SignUpWithIdentity } from '../base/schema';
import { requireConfirmation } from '../second-factors/second-factor';
import { connectIdentity, insertIdentity, lookupUserOfIdentity } from './identities';
import { completeLogIn, type OpenedSession, openSession } from './log-in';
import { keepAttempt, randomSecret, readAttempt, takeAttempt } from './login-attempts';
import { createAccount, insertUser } from './sign-up';

type Attempt = LoginSecrets & { provider: ProviderName; language: Language; next: string | null };
type Pending = { identity: ProvenIdentity; next: string | null };

/**
 * The user's next step. `code`: enter the code of a second factor. `start`: start the login again, because of the error
 * with this code.
 */
export type IdentityStep =
  | { to: 'session'; opened: OpenedSession }
  | { to: 'code' }
  | { to: 'sign_up' }
  | { to: 'link' }
  | { to: 'linked' }
  | { to: 'start'; code: string };
export type FinishedIdentityLogin = { language: Language; next: string | null; links: boolean; step: IdentityStep };

const keyOfAttempt = (state: string, browser: string) => `${state} ${browser}`;

/**
 * Begins a login at another service, or connects the account there. @returns the URL of the service's page
 * @throws identity.unavailable
 */
export async function beginIdentityLogin(
  ctx: Ctx,
  { provider, next, links }: BeginIdentityLogin,
  browser: string,
): Promise<{ url: string }> {
  const userId = links ? requireUser(ctx).userId : null;
  const { language } = ctx;
  const secrets = { state: randomSecret(), nonce: randomSecret(), codeVerifier: randomSecret() };
  const redirectUri = redirectUriOf(ctx, provider);
  const url = await ctx.ports.identity.authorizationUrl(provider, { ...secrets, redirectUri, language });
  const facts: Attempt = { ...secrets, provider, language, next };
  const key = { key: keyOfAttempt(secrets.state, browser), purpose: 'identity_attempt' as const };
  await keepAttempt(ctx, key, { userId, facts, lifetime: IDENTITY_LIMITS.attempt });
  return { url };
}

const redirectUriOf = (ctx: Ctx, provider: ProviderName) => ctx.urls.app(identityCallbackPath(provider));

/** `clientFor` says whether the account with an address knows the device. */
type Door = { browser: string; clientFor(email: string): Client };

/**
 * Processes the service's answer. Each attempt works once, and only in the browser and for the service with which it
 * began.
 * @throws identity.expired
 */
export async function finishIdentityLogin(
  ctx: Ctx,
  { provider, answer }: FinishIdentityLogin,
  door: Door,
): Promise<FinishedIdentityLogin> {
  const query = new URLSearchParams(answer);
  const key = keyOfAttempt(query.get('state') ?? '', door.browser);
  const { userId, facts } = await takeAttempt<Attempt>(ctx, key, 'identity_attempt');
  const { language, next } = facts;
  const finish = async (): Promise<IdentityStep> => {
    if (facts.provider !== provider) throw identityMixedUp();
    const attempt = { ...facts, redirectUri: redirectUriOf(ctx, provider) };
    const pending = { identity: await ctx.ports.identity.identify(provider, query, attempt), next };
    return userId === null ? logInOrSignUp(ctx, pending, door) : prepareLink(ctx, pending, { userId, ...door });
  };
  const step = await finish().catch((error: unknown): IdentityStep => {
    if (!(error instanceof AppError)) throw error;
    if (error.code === secondFactorRequired().code) return { to: 'code' };
    const level = error.cause && error.code !== 'identity.denied' ? 'warn' : 'info';
    ctx.log[level]({ err: error.cause ?? error, provider, code: error.code }, 'log-in at another service failed');
    return { to: 'start', code: error.code };
  });
  return { language, next, links: userId !== null, step };
}

async function logInOrSignUp(
  ctx: Ctx,
  { identity, next }: Pending,
  { browser, clientFor }: Door,
): Promise<IdentityStep> {
  const user = (await lookupUserOfIdentity(ctx, identity)) ?? (await connectByAddress(ctx, identity));
  if (user) return { to: 'session', opened: await completeLogIn({ ...ctx, client: clientFor(user.email) }, user) };
  await keepPending(ctx, browser, { userId: null, facts: { identity, next } });
  return { to: 'sign_up' };
}

/**
 * The account with the identity's address, to which the identity is then connected; null without such an account. Both
 * sides must have verified the address: otherwise the person who typed it first would share the account with its owner.
 * @throws identity.unverified_there, identity.unverified_here, identity.other_connected
 */
async function connectByAddress(ctx: Ctx, identity: ProvenIdentity): Promise<UserRow | null> {
  const user = identity.email === null ? null : await lookupUserByEmail(ctx, identity.email);
  if (!user || user.deletedAt) return null;
  if (!identity.isEmailVerified) throw unverifiedThere();
  if (!user.emailVerifiedAt) throw unverifiedHere();
  await transact(ctx, (tx) => connectIdentity(tx, user, identity));
  return user;
}

type Linker = { userId: number; browser: string };

/** Nothing is connected yet, because another person's link may have begun this: the user confirms with a button. */
async function prepareLink(ctx: Ctx, facts: Pending, { userId, browser }: Linker): Promise<IdentityStep> {
  if (requireUser(ctx).userId !== userId) throw identityTaken();
  const owner = await lookupUserOfIdentity(ctx, facts.identity);
  if (owner) {
    if (owner.id !== userId) throw identityTaken();
    return { to: 'linked' };
  }
  const { provider } = facts.identity;
  const mine = and(eq(identities.userId, userId), eq(identities.provider, provider));
  if ((await ctx.db.$count(identities, mine)) > 0) throw otherIdentityConnected();
  await keepPending(ctx, browser, { userId, facts });
  return { to: 'link' };
}

const keepPending = (ctx: Ctx, browser: string, kept: { userId: number | null; facts: Pending }) =>
  keepAttempt(ctx, { key: browser, purpose: 'identity_pending' }, { ...kept, lifetime: IDENTITY_LIMITS.pending });

export type PendingIdentity = Omit<ProvenIdentity, 'subject'> & { next: string | null; links: boolean };

/** The identity that has logged in at another service and has not finished here. @throws identity.expired */
export async function pendingIdentity(ctx: Ctx, browser: string): Promise<PendingIdentity> {
  const { userId, facts } = await readAttempt<Pending>(ctx, browser, 'identity_pending');
  const { subject: _, ...identity } = facts.identity;
  return { ...identity, next: facts.next, links: userId !== null };
}

/**
 * Creates an account that logs in with another service. The address needs no email if the service has verified it.
 * @throws identity.expired, identity.taken, account.email_taken, account.too_young, switch.off
 */
export async function signUpWithIdentity(ctx: Ctx, input: SignUpWithIdentity, browser: string): Promise<OpenedSession> {
  await requireSwitch(ctx, 'registrations', { subject: input.email });
  assertOldEnough(input.birthDate, ctx.now());
  const user = await createAccount(ctx, async (tx) => {
    const { userId, facts } = await takeAttempt<Pending>(tx, browser, 'identity_pending');
    if (userId !== null) throw identityTaken();
    const { provider, email, isEmailVerified } = facts.identity;
    const isProven = isEmailVerified && email === input.email;
    const row = await insertUser(tx, input, { signedUpWith: provider, isEmailVerified: isProven });
    await insertIdentity(tx, row.id, facts.identity);
    return row;
  });
  return openSession(ctx, user);
}

/**
 * Connects the pending account to the current user's. Afterwards the identity can log in like a passkey, so connecting
 * it needs the same confirmation. @throws account.confirmation_required, identity.expired, identity.taken,
 * identity.other_connected
 */
export async function linkIdentity(ctx: Ctx, browser: string): Promise<{ provider: ProviderName }> {
  const current = requireUser(ctx);
  await requireConfirmation(ctx);
  return transact(ctx, async (tx) => {
    const { userId, facts } = await takeAttempt<Pending>(tx, browser, 'identity_pending');
    if (userId !== current.userId) throw identityTaken();
    await connectIdentity(tx, await findUser(tx, userId), facts.identity);
    return { provider: facts.identity.provider };
  });
}
