import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { PLATFORM } from '../engine/store';
import { invalidRequest, wrongState } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import {
  currency,
  type Input,
  integer,
  mergeMetadata,
  metadata,
  oneOf,
  required,
  type Shape,
  text,
} from '../wire/shapes';
import { findAccount } from './accounts';
import { availableBalance, bookTransaction } from './balance';

const BANK_TRANSFER_TIME = 2 * 86_400;

const CREATE = {
  amount: required(integer(1)),
  currency: required(currency()),
  description: text(),
  metadata: metadata(),
  method: oneOf('standard'),
  statement_descriptor: text(22),
} satisfies Shape;

async function create(work: Work, input: Input<typeof CREATE>): Promise<Stripe.Payout> {
  await assertPayoutsEnabled(work);
  if ((await availableBalance(work, input.currency)) < input.amount)
    throw invalidRequest('You have insufficient funds in your Stripe account for this payout.', {
      code: 'balance_insufficient',
      param: 'amount',
    });
  const payout = newPayout(work, input);
  payout.description = input.description ?? null;
  payout.statement_descriptor = input.statement_descriptor ?? null;
  payout.metadata = mergeMetadata({}, input.metadata);
  work.emit('payout.created', payout);
  return payout;
}

type NewPayout = { amount: number; currency: string; automatic?: boolean };

/** Records no event: the caller emits 'payout.created' once the payout is complete. */
export function newPayout(work: Work, { amount, currency: code, automatic = false }: NewPayout): Stripe.Payout {
  const id = newId('po');
  return work.add({
    ...NULL_FIELDS.payout,
    id,
    object: 'payout' as const,
    amount,
    arrival_date: work.now() + BANK_TRANSFER_TIME,
    automatic,
    balance_transaction: bookTransaction(work, { type: 'payout', amount: -amount, currency: code, source: id }).id,
    created: work.now(),
    currency: code,
    livemode: false as const,
    metadata: {},
    method: 'standard',
    reconciliation_status: automatic ? ('completed' as const) : ('not_applicable' as const),
    source_type: 'card',
    status: 'pending',
    type: 'bank_account' as const,
  });
}

export const payoutRoutes: Route[] = [
  route('POST', '/v1/payouts', CREATE, create),
  retrieveRoute('/v1/payouts', 'payout'),
  route('POST', '/v1/payouts/:id/cancel', {}, async (work, _, { id = '' }) => {
    const payout = await work.find('payout', id);
    if (payout.status !== 'pending')
      throw wrongState('Only pending payouts can be canceled.', 'payouts_not_cancelable');
    payout.status = 'canceled';
    bookTransaction(work, {
      type: 'payout_cancel',
      amount: payout.amount,
      currency: payout.currency,
      source: payout.id,
      availableOn: work.now(),
    });
    work.emit('payout.canceled', payout);
    return payout;
  }),
  listRoute('/v1/payouts', 'payout', {
    filters: { status: text() },
    criteria: ({ status }) => ({ fields: { ...(status && { status }) } }),
  }),
];

async function assertPayoutsEnabled(work: Work): Promise<void> {
  if (work.account === PLATFORM) return;
  const account = await findAccount(work, work.account);
  if (!account.payouts_enabled)
    throw invalidRequest('This account cannot make payouts until it has completed onboarding.', {
      code: 'payouts_not_allowed',
    });
}

export function markPayoutPaid(work: Work, payout: Stripe.Payout): void {
  payout.status = 'paid';
  work.emit('payout.paid', payout);
}
