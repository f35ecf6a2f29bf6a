import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { PLATFORM } from '../engine/store';
import { refused, wrongState } from '../wire/faults';
import { newId } from '../wire/ids';
import { BLANK } from '../wire/null-fields';
import { type Input, mergedMetadata, metadata, needed, type Shape, text, whole } from '../wire/shapes';
import { findAccount } from './accounts';
import { availableNow, book } from './balance';

const TO_BANK = 2 * 86_400;

const CREATE = {
  amount: needed(whole(1)),
  currency: needed(text(3)),
  description: text(),
  metadata: metadata(),
  method: text(),
  statement_descriptor: text(22),
} satisfies Shape;

async function create(work: Work, { amount, currency, ...asked }: Input<typeof CREATE>): Promise<Stripe.Payout> {
  await refuseWithoutBank(work);
  if ((await availableNow(work, currency)) < amount)
    throw refused('You have insufficient funds in your Stripe account for this payout.', {
      code: 'balance_insufficient',
      param: 'amount',
    });
  const id = newId('po');
  const payout: Stripe.Payout = {
    ...BLANK.payout,
    id,
    object: 'payout',
    amount,
    arrival_date: work.now() + TO_BANK,
    automatic: false,
    balance_transaction: book(work, { type: 'payout', amount: -amount, currency, source: id }).id,
    created: work.now(),
    currency,
    description: asked.description ?? null,
    livemode: false,
    metadata: mergedMetadata({}, asked.metadata),
    method: 'standard',
    reconciliation_status: 'not_applicable',
    source_type: 'card',
    status: 'pending',
    type: 'bank_account',
  };
  return work.add(payout, {}, 'payout.created');
}

export const payoutRoutes: Route[] = [
  route('POST', '/v1/payouts', CREATE, create),
  retrieveRoute('/v1/payouts', 'payout'),
  route('POST', '/v1/payouts/:id/cancel', {}, async (work, _, { id = '' }) => {
    const payout = await work.find('payout', id);
    if (payout.status !== 'pending')
      throw wrongState('Only pending payouts can be canceled.', 'payouts_not_cancelable');
    payout.status = 'canceled';
    book(work, {
      type: 'payout_cancel',
      amount: payout.amount,
      currency: payout.currency,
      source: payout.id,
      atOnce: true,
    });
    work.emit('payout.canceled', payout);
    return payout;
  }),
  listRoute('/v1/payouts', 'payout', {
    filters: { status: text() },
    criteria: ({ status }) => ({ fields: { ...(status && { status }) } }),
  }),
];

async function refuseWithoutBank(work: Work): Promise<void> {
  if (work.account === PLATFORM) return;
  const account = await findAccount(work, work.account);
  if (!account.payouts_enabled)
    throw refused('This account cannot currently make payouts: it has not finished its onboarding.', {
      code: 'payouts_not_allowed',
    });
}

/** The money is at the bank. */
export function arrive(work: Work, payout: Stripe.Payout): void {
  payout.status = 'paid';
  work.emit('payout.paid', payout);
}
