import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute } from '../api/route';
import type { Work } from '../engine/account-work';
import { newId } from '../wire/ids';
import { BLANK } from '../wire/null-fields';
import { idOf, listOf } from '../wire/objects';
import { text } from '../wire/shapes';

/** What ties an invoice to the payment intent that pays it. */
export function newInvoicePayment(
  work: Work,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
): Stripe.InvoicePayment {
  const payment: Stripe.InvoicePayment = {
    ...BLANK.invoicePayment,
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_requested: invoice.amount_due,
    created: work.now(),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
  return work.add(payment, { payment: intent.id });
}

/** The payment intent of an invoice; null where there is nothing to pay. */
export async function intentOf(work: Work, invoice: Stripe.Invoice): Promise<Stripe.PaymentIntent | null> {
  const id = work.hidden(invoice).payment;
  const payment = id ? await work.get('invoice_payment', id) : null;
  return payment ? work.get('payment_intent', idOf(payment.payment.payment_intent) ?? '') : null;
}

export async function payOff(work: Work, invoice: Stripe.Invoice): Promise<void> {
  const payment = await work.find('invoice_payment', work.hidden(invoice).payment ?? '');
  payment.status = 'paid';
  payment.amount_paid = invoice.amount_due;
  payment.status_transitions.paid_at = work.now();
  work.emit('invoice_payment.paid', payment);
}

/** `invoice.payments`, shown when asked for. */
export async function invoicePayments(work: Work, invoice: string): Promise<Stripe.ApiList<Stripe.InvoicePayment>> {
  const found = await work.get('invoice', invoice);
  const id = found ? work.hidden(found).payment : undefined;
  const payment = id ? await work.get('invoice_payment', id) : null;
  return listOf(`/v1/invoice_payments?invoice=${invoice}`, payment ? [payment] : []);
}

export async function confirmationSecret(work: Work, invoice: string) {
  const found = await work.get('invoice', invoice);
  const intent = found ? await intentOf(work, found) : null;
  return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null;
}

export const invoicePaymentRoutes: Route[] = [
  retrieveRoute('/v1/invoice_payments', 'invoice_payment'),
  listRoute('/v1/invoice_payments', 'invoice_payment', {
    filters: {
      invoice: text(),
      status: text(),
      payment: { read: (value) => value as { type?: string; payment_intent?: string } },
    },
    criteria: ({ invoice, status, payment }) => ({
      parent: invoice,
      fields: {
        ...(status && { status }),
        ...(payment?.payment_intent && { 'payment.payment_intent': payment.payment_intent }),
      },
    }),
  }),
];
