import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { PLATFORM } from '../engine/store';
import { idOf } from '../wire/objects';
import { findAccount } from './accounts';
import { newApplicationFee } from './application-fees';
import { type Booking, book } from './balance';
import { newTransfer, paymentAt } from './transfers';

/**
 * What a charge owes to others. A destination charge passes its amount on to the account and takes the application
 * fee from there; a charge made on an account itself (direct) pays the fee to the platform.
 */
export async function passOn(work: Work, charge: Stripe.Charge, atOnce: boolean): Promise<void> {
  if (charge.transfer_data) return passToDestination(work, charge, atOnce);
  if (work.account === PLATFORM || !charge.application_fee_amount) return;
  const fee = newApplicationFee(work.on(PLATFORM), {
    account: work.account,
    charge: charge.id,
    amount: charge.application_fee_amount,
    currency: charge.currency,
  });
  charge.application_fee = fee.id;
}

async function passToDestination(work: Work, charge: Stripe.Charge, atOnce: boolean): Promise<void> {
  const { currency, transfer_data: passed } = charge;
  const account = await findAccount(work, idOf(passed!.destination));
  const amount = passed!.amount ?? charge.amount;
  const there = work.on(account.id);
  const payment = there.add(paymentAt(there, { currency }, amount));
  const transfer = newTransfer(work, {
    amount,
    currency,
    destination: account.id,
    sourceTransaction: charge.id,
    destinationPayment: payment.id,
    group: `group_${idOf(charge.payment_intent)}`,
  });
  charge.transfer = transfer.id;
  charge.transfer_group = transfer.transfer_group;
  payment.source_transfer = transfer.id;
  const fees = takeFee(work, charge, payment);
  payment.balance_transaction = book(there, { type: 'payment', amount, currency, source: payment.id, fees, atOnce }).id;
}

/** The platform's fee comes out of what the account received. */
function takeFee(work: Work, charge: Stripe.Charge, payment: Stripe.Charge): Booking['fees'] {
  const { application_fee_amount: amount, currency, transfer_data: passed } = charge;
  if (!amount) return [];
  const fee = newApplicationFee(work.on(PLATFORM), {
    account: idOf(passed!.destination),
    charge: payment.id,
    amount,
    currency,
    origin: charge.id,
  });
  charge.application_fee = fee.id;
  payment.application_fee = fee.id;
  payment.application_fee_amount = amount;
  return [{ amount, type: 'application_fee', description: 'Application fee' }];
}
