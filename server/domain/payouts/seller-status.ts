import type { SellerStatus } from '~/db/schema/seller-accounts';
import type { Account } from '../../adapters/payments/objects';
import type { PaymentsPort } from '../../adapters/payments/port';

/**
 * The states of a creator's own account at the payment provider (docs/decisions/0242). An account that has never been
 * able to take payments is `connecting`; one that was able before is `restricted`. A disconnected account stays
 * disconnected: connecting it again creates a new row.
 */
export function sellerStatus({ chargesEnabled }: Pick<Account, 'chargesEnabled'>, before: SellerStatus): SellerStatus {
  if (before === 'disconnected') return 'disconnected';
  if (chargesEnabled) return 'active';
  return before === 'connecting' ? 'connecting' : 'restricted';
}

/** Whether new sales go to the account. Until it takes payments, Altavoz sells. */
export const sellsThere = (status: SellerStatus): boolean => status === 'active';

type WithPayments = { ports: { payments: PaymentsPort } };

/** The same context with the payments of an account at the provider; null for our account. */
export function onAccount<C extends WithPayments>(ctx: C, account: string | null): C {
  if (ctx.ports.payments.account === account) return ctx;
  return { ...ctx, ports: { ...ctx.ports, payments: ctx.ports.payments.on(account) } };
}
