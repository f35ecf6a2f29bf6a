import type Stripe from 'stripe';
import { withReason } from './conflict-reasons';
import { idOf, toDate, toDateOrNull, toMoney } from './convert';
import { paymentsConflict } from './errors';
import type { Invoice, InvoiceLine } from './objects';
import type { PaymentsPort } from './port';
import type { CallStripe } from './stripe-call';

const EXPAND = ['payments'];
const REASONS: Record<string, Invoice['reason']> = {
  subscription_create: 'start',
  subscription_cycle: 'renewal',
  subscription_update: 'change',
};

export function toInvoiceLine(line: Stripe.InvoiceLineItem): InvoiceLine {
  const { amount, currency, description, period, parent } = line;
  const isProration = parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration ?? false;
  return {
    description: description ?? '',
    amount: toMoney(amount, currency),
    from: toDate(period.start),
    to: toDate(period.end),
    isProration,
  };
}

export const subscriptionOf = (invoice: Stripe.Invoice): string | null =>
  idOf(invoice.parent?.subscription_details?.subscription);

export function toInvoice(invoice: Stripe.Invoice): Invoice {
  const { currency } = invoice;
  const money = (minor: number) => toMoney(minor, currency);
  const discount = (invoice.total_discount_amounts ?? []).reduce((all, { amount }) => all + amount, 0);
  return {
    id: invoice.id,
    number: invoice.number,
    customer: idOf(invoice.customer),
    subscription: subscriptionOf(invoice),
    status: (invoice.status ?? 'draft') as Invoice['status'],
    reason: REASONS[invoice.billing_reason ?? ''] ?? 'other',
    subtotal: money(invoice.subtotal),
    discount: money(discount),
    total: money(invoice.total),
    due: money(invoice.amount_due),
    paid: money(invoice.amount_paid),
    lines: invoice.lines.data.map(toInvoiceLine),
    payment: paymentOf(invoice),
    attempts: invoice.attempt_count,
    nextAttemptAt: toDateOrNull(invoice.next_payment_attempt),
    pageUrl: invoice.hosted_invoice_url ?? null,
    pdfUrl: invoice.invoice_pdf ?? null,
    createdAt: toDate(invoice.created),
    paidAt: toDateOrNull(invoice.status_transitions.paid_at),
  };
}

/** An invoice may be paid with another payment than its own, which is then canceled. */
function paymentOf({ payments }: Stripe.Invoice): string | null {
  const all = payments?.data ?? [];
  const found = all.find(({ status }) => status === 'paid') ?? all.find(({ is_default }) => is_default);
  return idOf(found?.payment.payment_intent);
}

export async function fetchInvoice(stripe: Stripe, id: string): Promise<Invoice> {
  return toInvoice(await stripe.invoices.retrieve(id, { expand: EXPAND }));
}

/** A subscription that is never paid collects one in each period. */
const MAX_OPEN = 100;

type Operations = Pick<PaymentsPort, 'listInvoices' | 'payInvoice' | 'voidOpenInvoices'>;

export function invoiceOperations(callStripe: CallStripe): Operations {
  return {
    listInvoices: (customer, limit) =>
      callStripe(async (stripe) => {
        const found = stripe.invoices.list({ customer, limit: Math.min(limit, 100), expand: ['data.payments'] });
        return (await found.autoPagingToArray({ limit })).map(toInvoice);
      }),
    voidOpenInvoices: (subscription) =>
      callStripe(async (stripe) => {
        const { data } = await stripe.invoices.list({ subscription, status: 'open', limit: MAX_OPEN });
        for (const { id } of data) await voidOne(stripe, id);
      }),
    payInvoice: (id, idempotencyKey) =>
      withReason(
        callStripe(async (stripe) => toInvoice(await stripe.invoices.pay(id, { expand: EXPAND }, { idempotencyKey }))),
        async () =>
          (await callStripe((stripe) => fetchInvoice(stripe, id))).status === 'open' ? null : paymentsConflict(),
      ),
  };
}

/** It may have been paid or voided meanwhile. */
async function voidOne(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.invoices.voidInvoice(id, {}, { idempotencyKey: `${id}/void` });
  } catch (error) {
    if ((await stripe.invoices.retrieve(id)).status === 'open') throw error;
  }
}
