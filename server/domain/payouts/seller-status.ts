import type { SellerStatus } from '~/db/schema/seller-accounts';
import type { Account } from '../../adapters/payments/objects';
import type { PaymentsPort } from '../../adapters/payments/port';

/**
 * The states of a creator's own account at the payment provider (docs/decisions/0242). An account that was never able to
 * take payments is still `connecting`; one that was is `restricted`. A disconnected one stays so: connecting it again
 * makes a new row.
 */
export function sellerStatus({ chargesEnabled }: Pick<Account, 'chargesEnabled'>, before: SellerStatus): SellerStatus {
  if (before === 'disconnected') return 'disconnected';
  if (chargesEnabled) return 'active';
  return before === 'connecting' ? 'connecting' : 'restricted';
}

/** Whether new sales go to it. Until it takes payments, Altavoz sells. */
export const sellsThere = (status: SellerStatus): boolean => status === 'active';

type WithPayments = { ports: { payments: PaymentsPort } };

/** The same context, whose payments are those of an account at the provider; null: ours. */
export function onAccount<C extends WithPayments>(ctx: C, account: string | null): C {
  if (ctx.ports.payments.account === account) return ctx;
  return { ...ctx, ports: { ...ctx.ports, payments: ctx.ports.payments.on(account) } };
}
