import { sellerAccounts } from '~/db/schema/seller-accounts';
import type { Account } from '../../adapters/payments/objects';
import { CONNECTED_ACCOUNT_PATH, SELLER_ACCOUNT_PATH } from '../../base/account-paths';
import { AppError } from '../../base/errors';
import { CONNECTING_LIMITS } from '../../limits/payouts';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { restoreAccount } from '../../queue/jobs/billing';
import { type Ctx, type TxCtx, transact, violates } from '../../runtime/ctx';
import { queueAccountEmail } from '../accounts/base/email-links';
import { findUser } from '../accounts/base/queries';
import { keepAttempt, randomSecret, takeAttempt } from '../accounts/logins/login-attempts';
import { requireProof } from '../accounts/second-factors/second-factor';
import { recordActivity } from '../team/activity';
import {
  accountConnected,
  accountInUse,
  accountLeaving,
  connectingDenied,
  connectingExpired,
  connectingUnavailable,
} from './errors';
import { lookupHeldAccount, lookupSellerAccount } from './queries';
import type { ConnectAccount, FinishConnecting } from './schema';
import { factsOf } from './seller-account';
import { sellerStatus } from './seller-status';

type Attempt = { creatorId: number };

/**
 * Begins the connection of the creator's own account. The attempt is bound to the session, and used once.
 * @returns the URL of the provider's page
 * @throws common.forbidden, account.second_factor_required, account.wrong_code, account.wrong_password,
 * payout.connecting_unavailable, payout.account_connected, payout.account_leaving
 */
export async function startConnecting(ctx: Ctx, input: ConnectAccount): Promise<{ url: string }> {
  const { userId, sessionId, creatorId } = requireOwner(ctx);
  const { payments } = ctx.ports;
  if (!payments.canConnect) throw connectingUnavailable();
  const known = await lookupSellerAccount(ctx, creatorId);
  if (known && known.status !== 'disconnected') throw accountConnected();
  if (known && !known.releasedAt) throw accountLeaving();
  await requireProof(ctx, input);
  const state = randomSecret();
  const facts: Attempt = { creatorId };
  const key = { key: keyOf(state, sessionId), purpose: 'seller_account' as const };
  await keepAttempt(ctx, key, { userId, facts, lifetime: CONNECTING_LIMITS.attempt });
  const { email } = await findUser(ctx, userId);
  const returnUrl = ctx.urls.app(CONNECTED_ACCOUNT_PATH);
  return { url: payments.oauthUrl({ state, returnUrl, email, language: ctx.language }) };
}

const keyOf = (state: string, sessionId: string) => `${state} ${sessionId}`;

function requireOwner(ctx: Ctx) {
  const user = requireCreator(ctx);
  authorize(ctx, 'creator.connectAccount', { id: user.creatorId });
  return user;
}

/**
 * Processes the provider's answer: each attempt works once, only in its session, and for the creator for whom it began.
 * @throws payout.connecting_expired, payout.connecting_denied, payout.account_in_use, payout.account_leaving,
 * payout.account_connected
 */
export async function finishConnecting(ctx: Ctx, { state, code, error }: FinishConnecting): Promise<void> {
  const { userId, sessionId, creatorId } = requireOwner(ctx);
  const attempt = await takeAttempt<Attempt>(ctx, keyOf(state, sessionId), 'seller_account').catch(asExpired);
  if (attempt.userId !== userId || attempt.facts.creatorId !== creatorId) throw connectingExpired();
  if (error || !code) throw connectingDenied();
  const account = await ctx.ports.payments.connect(code).catch(asExpired);
  try {
    await transact(ctx, (tx) => insertAccount(tx, { account, creatorId, userId }));
  } catch (failure) {
    if (violates(failure, 'seller_accounts_account_once')) throw accountInUse();
    if (violates(failure, 'seller_accounts_creator_once')) throw accountConnected();
    throw failure;
  }
}

/** The attempt or the code may have expired. */
function asExpired(error: unknown): never {
  const isExpired = error instanceof AppError && ['identity.expired', 'payments.not_found'].includes(error.code);
  throw isExpired ? connectingExpired() : error;
}

type Connection = { account: Account; creatorId: number; userId: number };

async function insertAccount(tx: TxCtx, { account, creatorId, userId }: Connection): Promise<void> {
  // an account that is being disconnected has its creator's subscriptions, whose events must not reach another creator
  const held = await lookupHeldAccount(tx, account.id);
  if (held && held.creatorId !== creatorId) throw accountInUse();
  if (held?.status === 'disconnected') throw accountLeaving();
  await tx.db.insert(sellerAccounts).values({
    ...{ creatorId, accountId: account.id, connectedBy: userId, connectedAt: tx.now(), createdAt: tx.now() },
    ...factsOf(tx, account),
    status: sellerStatus(account, 'connecting'),
  });
  await recordActivity(tx, { creatorId, action: 'account.connected', subjectId: creatorId });
  const url = tx.urls.app(SELLER_ACCOUNT_PATH);
  await queueAccountEmail(tx, await findUser(tx, userId), { topic: 'account_connected', url, account: account.id });
  // restores subscriptions that were sold there before the disconnection
  await tx.jobs.enqueue(restoreAccount, { account: account.id });
}
