import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { idOf } from '../wire/objects';
import { bookTransaction, type NewTransaction, processingFee } from './balance';
import { useCustomerClock } from './customers';
import { cardBehaviourOf } from './payment-methods';
import { transferShare } from './transfer-share';

/**
 * Captures a successful payment, by default some seconds later ("Asynchronous capture"). Until then it has no balance
 * transaction, and neither a transfer nor an application fee.
 */
export async function startCapture(work: Work, charge: Stripe.Charge): Promise<void> {
  const { captureSeconds } = work.context.timing;
  const hidden = work.hidden(charge);
  hidden.captures = work.now() + (captureSeconds ?? 0);
  hidden.clock = idOf((await customerOf(work, charge))?.test_clock) ?? undefined;
  if (captureSeconds === null) await captureCharge(work, charge);
}

const customerOf = async (work: Work, { customer }: Stripe.Charge): Promise<Stripe.Customer | null> =>
  customer === null ? null : work.get('customer', idOf(customer));

/** Books a payment and its shares, unless that has happened: calls that need its transaction do not wait for it. */
export async function captureCharge(work: Work, charge: Stripe.Charge): Promise<void> {
  const hidden = work.hidden(charge);
  if (hidden.captures === undefined) return;
  hidden.captures = undefined;
  const method = charge.payment_method ? await work.get('payment_method', charge.payment_method) : null;
  const transaction = bookTransaction(work, {
    type: 'charge',
    amount: charge.amount,
    currency: charge.currency,
    source: charge.id,
    fees: feesOf(charge),
    ...(method && cardBehaviourOf(work, method)?.bypassesPending && { availableOn: work.now() }),
  });
  charge.balance_transaction = transaction.id;
  await transferShare(work, charge, transaction.available_on);
  // an event of its own, also if the call that needs it reports another change
  work.emitUpdate(charge);
}

/** A direct charge also pays the platform's fee. */
function feesOf(charge: Stripe.Charge): NewTransaction['fees'] {
  const ours = charge.transfer_data ? null : charge.application_fee_amount;
  return [
    { amount: processingFee(charge.amount), type: 'stripe_fee', description: 'Stripe processing fees' },
    ...(ours === null ? [] : [{ amount: ours, type: 'application_fee' as const, description: 'Application fee' }]),
  ];
}

type CapturedRow = { account: string; id: string };

/** Completes all captures now. @returns how many */
export async function captureAll(work: Work): Promise<number> {
  const rows = await work.sql<CapturedRow[]>`
    select account, id from sandbox_stripe.objects where kind = 'charge' and due is not null order by number`;
  for (const { account, id } of rows) {
    const own = work.forAccount(account);
    const charge = await own.find('charge', id);
    work.setNow(work.context.now);
    await useCustomerClock(own, await customerOf(own, charge));
    await captureCharge(own, charge);
  }
  return rows.length;
}
