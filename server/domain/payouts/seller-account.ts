import { and, eq, isNull, ne } from 'drizzle-orm';
import { sellerAccounts } from '~/db/schema/seller-accounts';
import type { Account } from '../../adapters/payments/objects';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lookupHeldAccount, lookupSellerAccount, type SellerAccountRow } from './queries';
import { sellerStatus } from './seller-status';

export type SellerAccountView = {
  /** Whether the operator allows connecting accounts. */
  canConnect: boolean;
  account: Pick<
    SellerAccountRow,
    | 'accountId'
    | 'status'
    | 'email'
    | 'payoutsEnabled'
    | 'missing'
    | 'connectedAt'
    | 'disconnectedAt'
    | 'disconnectedBy'
  > | null;
};

/** The own account at the payment provider of the creator for whom the user works. @throws common.forbidden */
export async function viewSellerAccount(ctx: Ctx): Promise<SellerAccountView> {
  const { creatorId } = requireCreator(ctx);
  const own = authorize(ctx, 'creator.connectAccount', { id: creatorId });
  const row = await lookupSellerAccount(ctx, own.id);
  const { canConnect } = ctx.ports.payments;
  if (!row) return { canConnect, account: null };
  const { accountId, status, email, payoutsEnabled, missing, connectedAt, disconnectedAt, disconnectedBy } = row;
  const account = { accountId, status, email, payoutsEnabled, missing, connectedAt, disconnectedAt, disconnectedBy };
  return { canConnect, account };
}

/** Writes a connected account as the provider shows it now. Does nothing for an unconnected account. */
export async function syncSellerAccount(ctx: Ctx, accountId: string): Promise<void> {
  const row = await lookupHeldAccount(ctx, accountId);
  if (!row || row.status === 'disconnected') return;
  const found = await ctx.ports.payments.on(null).fetch.account(accountId);
  await ctx.db
    .update(sellerAccounts)
    .set({ ...factsOf(ctx, found), status: sellerStatus(found, row.status) })
    .where(and(eq(sellerAccounts.id, row.id), eq(sellerAccounts.status, row.status)));
}

/** The provider's facts about an account. */
export const factsOf = (ctx: Pick<Ctx, 'now'>, found: Account) => ({
  email: found.email,
  country: found.country,
  chargesEnabled: found.chargesEnabled,
  payoutsEnabled: found.payoutsEnabled,
  missing: found.missing,
  syncedAt: ctx.now(),
  updatedAt: ctx.now(),
});

type Disconnection = Pick<SellerAccountRow, 'disconnectedBy' | 'releasedAt'>;

/** New sales go to our account from now on. @returns false if the account was disconnected before */
export async function markDisconnected(tx: TxCtx, { id }: SellerAccountRow, change: Disconnection): Promise<boolean> {
  const changed = await tx.db
    .update(sellerAccounts)
    .set({ ...change, status: 'disconnected', disconnectedAt: tx.now(), updatedAt: tx.now() })
    .where(and(eq(sellerAccounts.id, id), ne(sellerAccounts.status, 'disconnected')))
    .returning({ id: sellerAccounts.id });
  return changed.length > 0;
}

/**
 * Call it when the creator's account is deleted: sales there end, and the email address is removed. @returns the
 * account to disconnect at the provider
 */
export async function forgetSeller(tx: TxCtx, creatorId: number): Promise<SellerAccountRow | null> {
  const isOwn = eq(sellerAccounts.creatorId, creatorId);
  await tx.db.update(sellerAccounts).set({ email: null }).where(isOwn);
  const row = await lookupSellerAccount(tx, creatorId);
  return row && (await markDisconnected(tx, row, { disconnectedBy: 'creator', releasedAt: null })) ? row : null;
}

/** Marks that the account is also disconnected at the provider. */
export const markReleased = (ctx: Ctx, { id }: SellerAccountRow): Promise<void> =>
  transact(ctx, async (tx) => {
    const isHeld = and(eq(sellerAccounts.id, id), isNull(sellerAccounts.releasedAt));
    await tx.db.update(sellerAccounts).set({ releasedAt: tx.now(), updatedAt: tx.now() }).where(isHeld);
  });

/** Disconnected accounts whose disconnection the provider does not know yet. */
export const listLeaving = (ctx: Pick<Ctx, 'db'>, limit: number): Promise<{ sellerAccountId: number }[]> =>
  ctx.db
    .select({ sellerAccountId: sellerAccounts.id })
    .from(sellerAccounts)
    .where(and(eq(sellerAccounts.status, 'disconnected'), isNull(sellerAccounts.releasedAt)))
    .limit(limit);

export async function lookupLeaving(ctx: Pick<Ctx, 'db'>, id: number): Promise<SellerAccountRow | null> {
  const [row] = await ctx.db
    .select()
    .from(sellerAccounts)
    .where(
      and(eq(sellerAccounts.id, id), eq(sellerAccounts.status, 'disconnected'), isNull(sellerAccounts.releasedAt)),
    );
  return row ?? null;
}
