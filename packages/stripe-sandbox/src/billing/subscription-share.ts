import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { PLATFORM } from '../engine/store';
import { findDestination } from '../money/accounts';
import { percentOf } from '../money/proportions';
import { invalidRequest } from '../wire/faults';
import { idOf } from '../wire/objects';

/** The parts of each invoice that a connected account and the platform get. */
export type Share = {
  feePercent: number | null;
  transfer: { destination: string; amount_percent?: number | null } | null;
};

/** A fee needs an account that pays it, and cannot be combined with a percentage. @param at prefix of the names */
export async function assertShare(work: Work, { feePercent, transfer }: Share, at = ''): Promise<void> {
  const nameOf = (name: string, inner = '') => (at === '' ? `${name}${inner}` : `${at}[${name}]${inner}`);
  if (transfer) await findDestination(work, transfer.destination, nameOf('transfer_data', '[destination]'));
  if (feePercent !== null && !transfer && work.account === PLATFORM)
    throw invalidRequest(
      'You can only apply an application_fee_percent to a connected account, or together with `transfer_data[destination]`.',
      { param: nameOf('application_fee_percent') },
    );
  if (feePercent !== null && (transfer?.amount_percent ?? null) !== null)
    throw invalidRequest(
      'You may only specify one of these parameters: application_fee_percent, transfer_data[amount_percent].',
      { param: nameOf('transfer_data', '[amount_percent]') },
    );
}

export function shareOf({ transfer_data: transfer }: Stripe.Subscription): Share['transfer'] {
  return transfer && { destination: idOf(transfer.destination), amount_percent: transfer.amount_percent };
}

/** The fee and the transfer of an invoice's payment. */
export function paymentShare(subscription: Stripe.Subscription | null, amount: number) {
  const percent = subscription?.application_fee_percent ?? null;
  const transfer = subscription && shareOf(subscription);
  const part = transfer?.amount_percent ?? null;
  return {
    fee: percent === null ? null : percentOf(amount, percent),
    destination: transfer && {
      account: transfer.destination,
      amount: part === null ? null : percentOf(amount, part),
    },
  };
}
