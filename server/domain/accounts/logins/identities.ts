import { and, eq, isNull, ne } from 'drizzle-orm';
import { type SignUpMethod, users } from '~/db/schema/accounts';
import { identities, passkeys } from '~/db/schema/logins';
import type { ProvenIdentity, ProviderName } from '../../../adapters/identity/port';
import { SECURITY_PATH } from '../../../base/account-paths';
import { languagePrefix } from '../../../base/public-paths';
import { requireUser } from '../../../policy/actor';
import { type Ctx, type TxCtx, transact, violates } from '../../../runtime/ctx';
import { queueAccountEmail } from '../base/email-links';
import { identityTaken, onlyWayToLogIn, otherIdentityConnected } from '../base/errors';
import { PROVIDER_NAMES } from '../base/kinds';
import { findUser, type UserRow } from '../base/queries';

export type Connection = { provider: ProviderName; email: string | null; connectedAt: Date; isOnlyWay: boolean };
export type Connections = {
  connected: Connection[];
  /** Providers that the user could also connect. */
  available: ProviderName[];
  signedUpWith: SignUpMethod;
  signedUpAt: Date;
};

/** The services that the current user can log in with. */
export async function listConnections(ctx: Ctx): Promise<Connections> {
  const { userId } = requireUser(ctx);
  const user = await findUser(ctx, userId);
  const rows = await ctx.db.select().from(identities).where(eq(identities.userId, userId));
  const hasOtherWay = rows.length > 1 || (await hasOwnWay(ctx, user));
  const connected = rows.map(({ provider, email, createdAt }) => ({
    provider,
    email,
    connectedAt: createdAt,
    isOnlyWay: !hasOtherWay,
  }));
  const isFree = (name: ProviderName) => rows.every(({ provider }) => provider !== name);
  const { signedUpWith, createdAt: signedUpAt } = user;
  return { connected, available: ctx.ports.identity.providers.filter(isFree), signedUpWith, signedUpAt };
}

/** The user who logs in with this account at a provider; null if no user does. */
export async function lookupUserOfIdentity(
  ctx: Ctx,
  { provider, subject }: Pick<ProvenIdentity, 'provider' | 'subject'>,
): Promise<UserRow | null> {
  const [row] = await ctx.db
    .select({ user: users })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject), isNull(users.deletedAt)));
  return row?.user ?? null;
}

/** @throws identity.taken, or identity.other_connected if the user has another account of this provider */
export async function insertIdentity(tx: TxCtx, userId: number, identity: ProvenIdentity): Promise<void> {
  const { provider, subject, email } = identity;
  // a savepoint keeps the caller's transaction alive after a conflict
  const inserting = tx.db.transaction((db) =>
    db.insert(identities).values({ userId, provider, subject, email, createdAt: tx.now() }),
  );
  await inserting.catch((error: unknown) => {
    if (violates(error, 'identities_subject_once')) throw identityTaken();
    throw violates(error, 'identities_one_per_provider') ? otherIdentityConnected() : error;
  });
}

/** Connects the identity to an existing account, and tells the owner. @throws as insertIdentity */
export async function connectIdentity(tx: TxCtx, user: UserRow, identity: ProvenIdentity): Promise<void> {
  await insertIdentity(tx, user.id, identity);
  await tellOwner(tx, user, 'identity_linked', identity.provider);
}

/** Repeating it succeeds. @throws identity.only_way if the user could not log in any more */
export async function unlinkIdentity(ctx: Ctx, { provider }: { provider: ProviderName }): Promise<void> {
  const { userId } = requireUser(ctx);
  await transact(ctx, async (tx) => {
    // locks the user's row, so that two services are not disconnected at once
    const [user] = await tx.db.select().from(users).where(eq(users.id, userId)).for('update');
    const own = eq(identities.userId, userId);
    const others = await tx.db.$count(identities, and(own, ne(identities.provider, provider)));
    if (others === 0 && !(await hasOwnWay(tx, user!))) throw onlyWayToLogIn();
    const ended = await tx.db
      .delete(identities)
      .where(and(own, eq(identities.provider, provider)))
      .returning({ provider: identities.provider });
    if (ended.length > 0) await tellOwner(tx, user!, 'identity_unlinked', provider);
  });
}

/** Whether the user can log in without another service. */
async function hasOwnWay(ctx: Ctx | TxCtx, { id, passwordHash }: UserRow): Promise<boolean> {
  return passwordHash !== null || (await ctx.db.$count(passkeys, eq(passkeys.userId, id))) > 0;
}

function tellOwner(tx: TxCtx, user: UserRow, topic: 'identity_linked' | 'identity_unlinked', provider: ProviderName) {
  const prefix = user.language ? languagePrefix(user.language) : '';
  return queueAccountEmail(tx, user, {
    topic,
    url: tx.urls.app(prefix + SECURITY_PATH),
    provider: PROVIDER_NAMES[provider],
  });
}
