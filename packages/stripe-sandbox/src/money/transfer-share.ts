import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { PLATFORM } from '../engine/store';
import { idOf } from '../wire/objects';
import { findDestination } from './accounts';
import { newApplicationFee } from './application-fees';
import { bookTransaction, type NewTransaction } from './balance';
import { newDestinationPayment, newTransfer } from './transfers';

/**
 * Transfers shares of a charge; they become available with it. A destination charge transfers its amount to the account
 * and takes the application fee from there; a direct charge, made on the account itself, pays the fee to the platform.
 */
export async function transferShare(work: Work, charge: Stripe.Charge, availableOn: number): Promise<void> {
  if (charge.transfer_data) return transferToDestination(work, charge, availableOn);
  if (work.account === PLATFORM || !charge.application_fee_amount) return;
  const fee = newApplicationFee(work.forAccount(PLATFORM), {
    account: work.account,
    charge: charge.id,
    amount: charge.application_fee_amount,
    currency: charge.currency,
    availableOn,
  });
  charge.application_fee = fee.id;
}

async function transferToDestination(work: Work, charge: Stripe.Charge, availableOn: number): Promise<void> {
  const { currency, transfer_data: transferData } = charge;
  const account = await findDestination(work, idOf(transferData!.destination), 'transfer_data[destination]');
  const amount = transferData!.amount ?? charge.amount;
  const accountWork = work.forAccount(account.id);
  const payment = accountWork.add(newDestinationPayment(accountWork, { currency }, amount));
  const transfer = newTransfer(work, {
    amount,
    currency,
    destination: account.id,
    sourceTransaction: charge.id,
    destinationPayment: payment.id,
    group: charge.transfer_group ?? `group_${idOf(charge.payment_intent)}`,
    availableOn,
  });
  charge.transfer = transfer.id;
  charge.transfer_group = transfer.transfer_group;
  payment.source_transfer = transfer.id;
  const fees = takeFee(work, { charge, payment, availableOn });
  payment.balance_transaction = bookTransaction(accountWork, {
    type: 'payment',
    amount,
    currency,
    source: payment.id,
    fees,
    availableOn,
  }).id;
}

type Share = { charge: Stripe.Charge; payment: Stripe.Charge; availableOn: number };

/** Takes the platform's fee from the amount that the account received. */
function takeFee(work: Work, { charge, payment, availableOn }: Share): NewTransaction['fees'] {
  const { application_fee_amount: amount, currency, transfer_data: transferData } = charge;
  if (!amount) return [];
  const fee = newApplicationFee(work.forAccount(PLATFORM), {
    account: idOf(transferData!.destination),
    charge: payment.id,
    amount,
    currency,
    availableOn,
    origin: charge.id,
  });
  charge.application_fee = fee.id;
  payment.application_fee = fee.id;
  payment.application_fee_amount = amount;
  return [{ amount, type: 'application_fee', description: 'Application fee' }];
}
