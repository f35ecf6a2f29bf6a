import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { findCustomer, timeOfCustomer } from '../money/customers';
import { declinedFault } from '../money/payment-methods';
import { refused, StripeFault } from '../wire/faults';
import { idOf } from '../wire/objects';
import { clearable, flag, group, many, mergedMetadata, metadata, needed, one, text, time } from '../wire/shapes';
import { collect, dropPayment, methodFor } from './invoice-collection';
import { finalize, voidInvoice } from './invoice-lifecycle';
import { changeItems } from './subscription-change';
import { ITEM, itemOf } from './subscription-items';
import { renew } from './subscription-renewal';
import { changeOf, findSubscription } from './subscriptions';

const CHANGE = group({
  items: many(ITEM),
  proration_behavior: one('always_invoice', 'create_prorations', 'none'),
  proration_date: time(),
  billing_cycle_anchor: one('now', 'unchanged'),
  trial_end: { read: (value, path) => (value === 'now' ? ('now' as const) : time().read(value, path)) },
  cancel_at_period_end: flag(),
  cancel_at: clearable(time()),
});
type AskedChange = ReturnType<(typeof CHANGE)['read']>;

/** What a change would bill now; without one, or when it bills nothing now, the next invoice. */
async function preview(work: Work, id: string, asked: AskedChange): Promise<Stripe.Invoice> {
  const stage = work.rehearsal();
  const subscription = await findSubscription(stage, id);
  const made =
    asked.items || asked.trial_end !== undefined ? await changeItems(stage, subscription, changeOf(asked)) : null;
  if (made) return made;
  const ends = asked.cancel_at_period_end ?? subscription.cancel_at_period_end;
  if (ends || ['canceled', 'incomplete_expired', 'paused'].includes(subscription.status))
    throw refused('No upcoming invoices for customer', { code: 'invoice_upcoming_none' });
  stage.at(itemOf(subscription).current_period_end);
  const next = await renew(stage, subscription);
  if (!next) throw refused('No upcoming invoices for customer', { code: 'invoice_upcoming_none' });
  return next;
}

async function pay(work: Work, invoice: Stripe.Invoice, said: { payment_method?: string; off_session?: boolean }) {
  const customer = await findCustomer(work, idOf(invoice.customer) ?? '');
  if (invoice.status === 'draft') await finalize(work, invoice, customer);
  if (invoice.status === 'paid') throw refused('Invoice is already paid', { code: 'invoice_already_paid' });
  if (invoice.status !== 'open') throw refused('This invoice can no longer be paid.', { code: 'invoice_not_editable' });
  if (!(await methodFor(work, invoice, said.payment_method)))
    throw refused(
      'There is no default_payment_method set on this Customer or Invoice. Please set a default_payment_method.',
      { code: 'invoice_payment_intent_requires_action' },
    );
  const { decline } = await collect(work, invoice, {
    offSession: said.off_session ?? true,
    method: said.payment_method,
  });
  if (decline) throw declinedFault(decline);
  if ((invoice.status as string) === 'paid') return invoice;
  throw new StripeFault(
    402,
    {
      type: 'card_error',
      code: 'invoice_payment_intent_requires_action',
      message: 'This payment requires additional user action before it can be completed successfully.',
    },
    true,
  );
}

export const invoiceRoutes: Route[] = [
  route(
    'POST',
    '/v1/invoices/create_preview',
    { customer: text(), subscription: needed(text()), subscription_details: CHANGE, preview_mode: one('next') },
    (work, input) => preview(work, input.subscription, input.subscription_details ?? {}),
  ),
  retrieveRoute('/v1/invoices', 'invoice'),
  route(
    'POST',
    '/v1/invoices/:id',
    { metadata: metadata(), description: text(), auto_advance: flag() },
    async (work, input, { id = '' }) => {
      const invoice = await work.find('invoice', id);
      if (input.description !== undefined) invoice.description = input.description;
      if (input.auto_advance !== undefined) invoice.auto_advance = input.auto_advance;
      invoice.metadata = mergedMetadata(invoice.metadata, input.metadata);
      return invoice;
    },
  ),
  route('POST', '/v1/invoices/:id/finalize', { auto_advance: flag() }, async (work, _, { id = '' }) => {
    const invoice = await work.find('invoice', id);
    if (invoice.status !== 'draft')
      throw refused('This invoice is already finalized.', { code: 'invoice_not_editable' });
    await finalize(work, invoice, await findCustomer(work, idOf(invoice.customer) ?? ''));
    return invoice;
  }),
  route(
    'POST',
    '/v1/invoices/:id/pay',
    { payment_method: text(), off_session: flag() },
    async (work, input, { id = '' }) => pay(work, await work.find('invoice', id), input),
  ),
  route('POST', '/v1/invoices/:id/void', {}, async (work, _, { id = '' }) => {
    const invoice = await work.find('invoice', id);
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
      throw refused('You can only void open invoices.', { code: 'invoice_not_editable' });
    await timeOfCustomer(work, await work.get('customer', idOf(invoice.customer) ?? ''));
    await dropPayment(work, invoice);
    voidInvoice(work, invoice);
    return invoice;
  }),
  route('GET', '/v1/invoices/:id/lines', {}, async (work, _, { id = '' }) => (await work.find('invoice', id)).lines),
  listRoute('/v1/invoices', 'invoice', {
    filters: { customer: text(), subscription: text(), status: text() },
    criteria: ({ customer, subscription, status }) => ({
      customer,
      parent: subscription,
      fields: { ...(status && { status }) },
    }),
  }),
];
