import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute } from '../api/route';
import type { Work } from '../engine/account-work';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf, listOf } from '../wire/objects';
import { group, oneOf, required, text } from '../wire/shapes';

/** Links an invoice to a payment intent; `is_default`: to its own, which was created with it. */
export function newInvoicePayment(
  work: Work,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
  { isDefault = true } = {},
): Stripe.InvoicePayment {
  const payment: Stripe.InvoicePayment = {
    ...NULL_FIELDS.invoicePayment,
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_requested: invoice.amount_due,
    created: work.now(),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: isDefault,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
  return work.add(payment, { payment: intent.id });
}

/** The payment intent of an invoice; null if there is nothing to pay. */
export async function paymentIntentOf(work: Work, invoice: Stripe.Invoice): Promise<Stripe.PaymentIntent | null> {
  const id = work.hidden(invoice).payment;
  const payment = id ? await work.get('invoice_payment', id) : null;
  return payment ? work.get('payment_intent', idOf(payment.payment.payment_intent) ?? '') : null;
}

export async function markPaymentPaid(work: Work, invoice: Stripe.Invoice): Promise<void> {
  markPaid(work, invoice, await work.find('invoice_payment', work.hidden(invoice).payment ?? ''));
}

export function markPaid(work: Work, invoice: Stripe.Invoice, payment: Stripe.InvoicePayment): void {
  payment.status = 'paid';
  payment.amount_paid = invoice.amount_due;
  payment.status_transitions.paid_at = work.now();
  work.emit('invoice_payment.paid', payment);
}

/** `invoice.payments`, included on request. */
export async function invoicePayments(work: Work, invoice: string): Promise<Stripe.ApiList<Stripe.InvoicePayment>> {
  const found = await work.list('invoice_payment', { parent: invoice }, { limit: 10 });
  // the default payment was created first
  return listOf(`/v1/invoice_payments?invoice=${invoice}`, found.toReversed());
}

export async function confirmationSecret(work: Work, invoice: string) {
  const found = await work.get('invoice', invoice);
  const intent = found ? await paymentIntentOf(work, found) : null;
  return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null;
}

const list = listRoute('/v1/invoice_payments', 'invoice_payment', {
  filters: {
    invoice: text(),
    status: text(),
    payment: group({ type: required(oneOf('payment_intent')), payment_intent: text() }),
  },
  criteria: ({ invoice, status, payment }) => ({
    parent: invoice,
    fields: {
      ...(status && { status }),
      ...(payment?.payment_intent && { 'payment.payment_intent': payment.payment_intent }),
    },
  }),
});

export const invoicePaymentRoutes: Route[] = [
  retrieveRoute('/v1/invoice_payments', 'invoice_payment'),
  {
    ...list,
    /** Links are indexed by invoice, which the payment intent names. */
    async run(work, params, path) {
      const { payment } = params;
      const id = typeof payment === 'object' ? payment.payment_intent : undefined;
      const intent = typeof id === 'string' && !params.invoice ? await work.get('payment_intent', id) : null;
      const invoice = intent && work.hidden(intent).invoice;
      return list.run(work, invoice ? { ...params, invoice } : params, path);
    },
  },
];
