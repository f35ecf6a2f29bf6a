import type Stripe from 'stripe';
import { collect } from './billing/invoice-collection';
import { finalize } from './billing/invoice-lifecycle';
import { turn } from './billing/subscription-renewal';
import { expireSession } from './checkout/completion';
import type { Work } from './engine/account-work';
import type { DueHandlers } from './engine/due-work';
import { letDisputePass } from './money/disputes';
import { arrive } from './money/payouts';
import { idOf } from './wire/objects';

/** What each kind of object does when it falls due. */
export const DUE_HANDLERS: DueHandlers = {
  subscription: turn,
  invoice: processInvoice,
  'checkout.session': expireSession,
  payout: arrive,
  dispute: letDisputePass,
};

async function processInvoice(work: Work, invoice: Stripe.Invoice): Promise<void> {
  if (invoice.status === 'draft') {
    const customer = await work.find('customer', idOf(invoice.customer) ?? '');
    await finalize(work, invoice, customer);
    if (invoice.status !== ('open' as Stripe.Invoice.Status)) return;
  }
  await collect(work, invoice, { offSession: true });
}
