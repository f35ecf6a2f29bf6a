import { and, desc, eq, gt, isNull, ne } from 'drizzle-orm';
import { sessions, users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { BILLING_LIMITS } from '../../limits/billing';
import { OPERATOR_LIMITS } from '../../limits/operators';
import { sendPasswordReset } from '../../queue/jobs/accounts';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findUser, type UserRow } from '../accounts/base/queries';
import { markEmailVerified } from '../accounts/logins/mark-verified';
import { deleteSessionsOf } from '../accounts/logins/sessions';
import { restoreAccount, suspendAccount } from '../accounts/logins/suspend-account';
import { hasSecondFactor } from '../accounts/second-factors/second-factor';
import { queueEnds, queueResumes } from '../billing/subscriptions/end-subscriptions';
import { listOperations } from '../operators/queries';
import { type Operator, recordOperation } from '../operators/record-operation';
import { nothingToDo, notYourself } from './errors';

/** An operator's action on an account. Each function writes who did it, in the same transaction. */
type Step = { operator: Operator; id: number };

const targetOf = (id: number) => `user/${id}`;

/** @throws account.not_found */
export async function showAccount(ctx: Ctx, id: number) {
  const user = await findUser(ctx, id);
  const { email, name, createdAt, emailVerifiedAt, suspendedAt, deletionDueAt, deletedAt, country, language } = user;
  const [creator] = await ctx.db
    .select({ id: creators.id, domain: creators.domain, name: creators.name })
    .from(creators)
    .where(eq(creators.userId, id));
  return {
    ...{ id, email, name, createdAt, emailVerifiedAt, suspendedAt, deletionDueAt, deletedAt, country, language },
    signedUpWith: user.signedUpWith,
    hasPassword: user.passwordHash !== null,
    hasSecondFactor: await hasSecondFactor(ctx, id),
    creator: creator ?? null,
    sessions: await ctx.db.$count(sessions, and(eq(sessions.userId, id), gt(sessions.expiresAt, ctx.now()))),
    subscriptions: await subscriptionsOf(ctx, id),
    operations: await listOperations(ctx, targetOf(id)),
  };
}

function subscriptionsOf({ db }: Pick<Ctx, 'db'>, userId: number) {
  const { id, purpose, status, priceMinor, currency, every, periodEnd, endsAt, endedAt, providerId } = subscriptions;
  return db
    .select({
      id,
      purpose,
      status,
      priceMinor,
      currency,
      every,
      periodEnd,
      endsAt,
      endedAt,
      providerId,
      show: products.name,
    })
    .from(subscriptions)
    .leftJoin(products, eq(products.id, subscriptions.productId))
    .where(eq(subscriptions.userId, userId))
    .orderBy(desc(subscriptions.id))
    .limit(OPERATOR_LIMITS.shown);
}

/** Used after the user has proven their address in another way. @throws account.not_found, console.nothing_to_do */
export function verifyByHand(ctx: Ctx, { operator, id }: Step): Promise<void> {
  return transact(ctx, async (tx) => {
    const user = await lockUser(tx, id);
    if (user.emailVerifiedAt || user.deletedAt) throw nothingToDo();
    await markEmailVerified(tx, id);
    await record(tx, operator, { action: 'users.verified', id });
  });
}

/** @throws account.not_found */
export async function endAllSessions(ctx: Ctx, { operator, id }: Step): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockUser(tx, id);
    await deleteSessionsOf(tx, id);
    await record(tx, operator, { action: 'users.sessions_ended', id });
  });
  await ctx.sessions.announceEnded();
}

/**
 * Emails a link to set a new password, as if its owner had requested it. @throws account.not_found,
 * console.nothing_to_do
 */
export function sendPasswordLink(ctx: Ctx, { operator, id }: Step): Promise<void> {
  return transact(ctx, async (tx) => {
    const user = await lockUser(tx, id);
    if (user.deletedAt) throw nothingToDo();
    await tx.jobs.enqueue(sendPasswordReset, { email: user.email });
    await record(tx, operator, { action: 'users.password_link_sent', id });
  });
}

/**
 * Closes an account until it is restored. Its shows stay on sale, and its subscribers keep their access. Its own
 * subscriptions to shows end with the paid period, and its donations end at once, because its owner can't log in to
 * cancel them.
 * @throws account.not_found, console.nothing_to_do, console.not_yourself
 */
export async function suspendUser(ctx: Ctx, { operator, id, reason }: Step & { reason: string }): Promise<void> {
  await transact(ctx, async (tx) => {
    const user = await lockUser(tx, id);
    if (user.email === operator.name) throw notYourself();
    if (!(await suspendAccount(tx, id, reason))) throw nothingToDo();
    const own = eq(subscriptions.userId, id);
    const ends = { reason: 'account_suspended', when: 'at_period_end' } as const;
    await queueEnds(tx, and(own, eq(subscriptions.purpose, 'show')), ends);
    await queueEnds(tx, and(own, eq(subscriptions.purpose, 'donation')), { ...ends, when: 'now' });
    await record(tx, operator, { action: 'users.suspended', id, details: { reason } });
  });
  await ctx.sessions.announceEnded();
}

/** Subscriptions whose period has not ended continue. @throws account.not_found, console.nothing_to_do */
export function unsuspendUser(ctx: Ctx, { operator, id }: Step): Promise<void> {
  return transact(ctx, async (tx) => {
    await lockUser(tx, id);
    if (!(await restoreAccount(tx, id))) throw nothingToDo();
    const own = and(eq(subscriptions.userId, id), ne(subscriptions.purpose, 'plan'), isNull(subscriptions.endedAt));
    await queueResumes(tx, own, ['account_suspended'], { after: 0, limit: BILLING_LIMITS.markedAtOnce });
    await record(tx, operator, { action: 'users.unsuspended', id });
  });
}

/** @throws account.not_found */
async function lockUser(tx: TxCtx, id: number): Promise<UserRow> {
  await tx.db.select({ id: users.id }).from(users).where(eq(users.id, id)).for('update');
  return findUser(tx, id);
}

type Done = { action: string; id: number; details?: Record<string, string> };

const record = (tx: TxCtx, operator: Operator, { action, id, details = {} }: Done) =>
  recordOperation(tx, operator, { action, target: targetOf(id), details });

export type AccountFile = Awaited<ReturnType<typeof showAccount>>;
