import type Stripe from 'stripe';
import { retryInvoice } from './billing/invoice-collection';
import { finalizeInvoice } from './billing/invoice-lifecycle';
import { processSubscription } from './billing/subscription-renewal';
import { expireSession } from './checkout/completion';
import type { Work } from './engine/account-work';
import type { DueHandlers } from './engine/due-work';
import { payOut } from './money/balance-settings';
import { captureCharge } from './money/captures';
import { expireDispute } from './money/disputes';
import { markPayoutPaid } from './money/payouts';
import { settleRefund } from './money/refunds';
import { idOf } from './wire/objects';

/** The handler of each kind of object that falls due. */
export const DUE_HANDLERS: DueHandlers = {
  subscription: processSubscription,
  invoice: processInvoice,
  'checkout.session': expireSession,
  balance_settings: payOut,
  charge: captureCharge,
  payout: markPayoutPaid,
  dispute: expireDispute,
  refund: settleRefund,
};

async function processInvoice(work: Work, invoice: Stripe.Invoice): Promise<void> {
  if (invoice.status === 'draft') {
    const customer = await work.find('customer', idOf(invoice.customer) ?? '');
    await finalizeInvoice(work, invoice, customer);
    if (invoice.status !== ('open' as Stripe.Invoice.Status)) return;
  }
  await retryInvoice(work, invoice);
}
