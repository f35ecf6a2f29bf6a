import type Stripe from 'stripe';
import { listRoute, partsRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { HOUR } from '../engine/time';
import { findCustomer, useCustomerClock } from '../money/customers';
import { declineFault } from '../money/payment-methods';
import { invalidRequest, StripeFault } from '../wire/faults';
import { idOf } from '../wire/objects';
import {
  arrayOf,
  clearable,
  flag,
  group,
  mergeMetadata,
  metadata,
  oneOf,
  required,
  text,
  timestamp,
} from '../wire/shapes';
import { attachPayment, cancelPayment, collectInvoice, paymentMethodFor } from './invoice-collection';
import { finalizeInvoice, voidInvoice } from './invoice-lifecycle';
import { draftEnd } from './subscription-cancel';
import { assertInPeriod, changeSubscription } from './subscription-change';
import { itemOf, PREVIEW_ITEM } from './subscription-items';
import { renewSubscription } from './subscription-renewal';
import { changeOf, findSubscription } from './subscriptions';

const CHANGE = group({
  items: arrayOf(PREVIEW_ITEM),
  proration_behavior: oneOf('always_invoice', 'create_prorations', 'none'),
  proration_date: timestamp(),
  billing_cycle_anchor: oneOf('now', 'unchanged'),
  trial_end: { read: (value, path) => (value === 'now' ? ('now' as const) : timestamp().read(value, path)) },
  cancel_at_period_end: flag(),
  cancel_at: clearable(timestamp()),
  cancel_now: flag(),
});
type PreviewInput = ReturnType<(typeof CHANGE)['read']> & { customer?: string };

/** The invoice that a change would create now, or else the next renewal's invoice. */
async function previewInvoice(work: Work, id: string, { customer, ...input }: PreviewInput): Promise<Stripe.Invoice> {
  const previewWork = work.preview();
  const subscription = await findSubscription(previewWork, id, 'subscription');
  if (customer && customer !== idOf(subscription.customer))
    throw invalidRequest(`The subscription ${id} belongs to another customer than ${customer}.`, { param: 'customer' });
  if (input.cancel_now) return previewEnd(previewWork, subscription, input);
  const changeInvoice =
    input.items || input.trial_end !== undefined || input.billing_cycle_anchor === 'now'
      ? await changeSubscription(previewWork, subscription, changeOf(input))
      : null;
  if (changeInvoice) return changeInvoice;
  const cancelAt = input.cancel_at === undefined ? subscription.cancel_at : input.cancel_at;
  const ends = input.cancel_at_period_end ?? (cancelAt !== null && cancelAt <= itemOf(subscription).current_period_end);
  if (ends || ['canceled', 'incomplete_expired', 'paused'].includes(subscription.status))
    throw invalidRequest('No upcoming invoices for customer', { code: 'invoice_upcoming_none' });
  previewWork.setNow(itemOf(subscription).current_period_end);
  const next = await renewSubscription(previewWork, subscription);
  if (!next) throw invalidRequest('No upcoming invoices for customer', { code: 'invoice_upcoming_none' });
  return next;
}

/** The invoice that canceling now would create. Without such an invoice, Stripe's preview fails. */
async function previewEnd(
  work: Work,
  subscription: Stripe.Subscription,
  { proration_behavior: behaviour, proration_date: date }: PreviewInput,
): Promise<Stripe.Invoice> {
  assertInPeriod(itemOf(subscription), date);
  const invoice = await draftEnd(work, subscription, behaviour === 'none' ? null : (date ?? work.now()));
  if (!invoice) throw invalidRequest('No upcoming invoices for customer', { code: 'invoice_upcoming_none' });
  return invoice;
}

async function payInvoice(
  work: Work,
  invoice: Stripe.Invoice,
  input: { payment_method?: string; off_session?: boolean },
) {
  const customer = await findCustomer(work, idOf(invoice.customer) ?? '');
  if (invoice.status === 'draft') await finalizeInvoice(work, invoice, customer);
  if (invoice.status === 'paid') throw invalidRequest('Invoice is already paid', { code: 'invoice_already_paid' });
  if (invoice.status !== 'open')
    throw invalidRequest('This invoice can no longer be paid.', { code: 'invoice_not_editable' });
  if (!(await paymentMethodFor(work, invoice, input.payment_method)))
    throw invalidRequest(
      'There is no default_payment_method set on this Customer or Invoice. Please set a default_payment_method.',
      { code: 'invoice_payment_intent_requires_action' },
    );
  const { decline } = await collectInvoice(work, invoice, {
    offSession: input.off_session ?? true,
    method: input.payment_method,
  });
  if (decline) throw declineFault(decline);
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

/**
 * Whether the invoice is finalized (a draft) or collected (an open one) by itself ("Status transitions and
 * finalization").
 */
function setAutoAdvance(work: Work, invoice: Stripe.Invoice, isAutomatic: boolean): void {
  invoice.auto_advance = isAutomatic;
  if (invoice.status === 'draft') invoice.automatically_finalizes_at = isAutomatic ? work.now() + HOUR : null;
  if (invoice.status === 'open') invoice.next_payment_attempt = isAutomatic ? work.now() + HOUR : null;
}

export const invoiceRoutes: Route[] = [
  route(
    'POST',
    '/v1/invoices/create_preview',
    { customer: text(), subscription: required(text()), subscription_details: CHANGE },
    (work, { subscription, subscription_details, customer }) =>
      previewInvoice(work, subscription, { ...subscription_details, customer }),
  ),
  retrieveRoute('/v1/invoices', 'invoice'),
  route(
    'POST',
    '/v1/invoices/:id',
    { metadata: metadata(), description: text(), auto_advance: flag() },
    async (work, input, { id = '' }) => {
      const invoice = await work.find('invoice', id);
      await useCustomerClock(work, await work.get('customer', idOf(invoice.customer) ?? ''));
      if (input.description !== undefined) invoice.description = input.description;
      if (input.auto_advance !== undefined) setAutoAdvance(work, invoice, input.auto_advance);
      invoice.metadata = mergeMetadata(invoice.metadata, input.metadata);
      return invoice;
    },
  ),
  route('POST', '/v1/invoices/:id/finalize', { auto_advance: flag() }, async (work, input, { id = '' }) => {
    const invoice = await work.find('invoice', id);
    if (invoice.status !== 'draft')
      throw invalidRequest('This invoice is already finalized.', { code: 'invoice_not_editable' });
    await finalizeInvoice(work, invoice, await findCustomer(work, idOf(invoice.customer) ?? ''));
    setAutoAdvance(work, invoice, input.auto_advance ?? invoice.auto_advance ?? true);
    return invoice;
  }),
  route(
    'POST',
    '/v1/invoices/:id/pay',
    { payment_method: text(), off_session: flag() },
    async (work, input, { id = '' }) => payInvoice(work, await work.find('invoice', id), input),
  ),
  route(
    'POST',
    '/v1/invoices/:id/attach_payment',
    { payment_intent: required(text()) },
    async (work, { payment_intent }, { id = '' }) => {
      const invoice = await work.find('invoice', id);
      await useCustomerClock(work, await work.get('customer', idOf(invoice.customer) ?? ''));
      return attachPayment(work, invoice, payment_intent);
    },
  ),
  route('POST', '/v1/invoices/:id/void', {}, async (work, _, { id = '' }) => {
    const invoice = await work.find('invoice', id);
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
      throw invalidRequest('You can only void open invoices.', { code: 'invoice_not_editable' });
    await useCustomerClock(work, await work.get('customer', idOf(invoice.customer) ?? ''));
    await cancelPayment(work, invoice);
    voidInvoice(work, invoice);
    return invoice;
  }),
  partsRoute('/v1/invoices/:id/lines', {
    find: async (work, _, { id = '' }) => (await work.find('invoice', id)).lines.data,
  }),
  listRoute('/v1/invoices', 'invoice', {
    filters: { customer: text(), subscription: text(), status: text() },
    criteria: ({ customer, subscription, status }) => ({
      customer,
      parent: subscription,
      fields: { ...(status && { status }) },
    }),
  }),
];
