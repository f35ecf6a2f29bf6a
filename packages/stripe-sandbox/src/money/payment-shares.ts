import type { Work } from '../engine/account-work';
import { PLATFORM } from '../engine/store';
import { invalidRequest } from '../wire/faults';
import { findDestination } from './accounts';

type Shares = { application_fee_amount?: number; transfer_data?: { destination: string; amount?: number } };

/** A fee needs an account that pays it, and cannot be combined with a fixed share. @param at prefix of the names */
export async function assertShares(work: Work, input: Shares, at: '' | 'payment_intent_data'): Promise<void> {
  const { application_fee_amount: fee, transfer_data: share } = input;
  const nameOf = (name: string) => (at === '' ? name : `${at}[${name}]`);
  const shareName = at === '' ? 'transfer_data' : `${at}[transfer_data]`;
  if (share) await findDestination(work, share.destination, `${shareName}[destination]`);
  if (fee !== undefined && !share && work.account === PLATFORM)
    throw invalidRequest(
      'Can only apply an application_fee_amount when the PaymentIntent is attempting a direct payment (using an OAuth key or Stripe-Account header) or destination payment (using `transfer_data[destination]`).',
      { param: nameOf('application_fee_amount') },
    );
  if (fee !== undefined && share?.amount !== undefined)
    throw invalidRequest(
      'You may only specify one of these parameters: application_fee_amount, transfer_data[amount].',
      {
        param: `${shareName}[amount]`,
      },
    );
}
