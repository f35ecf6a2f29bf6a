import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { newIntent } from '../money/payment-intents';
import { newId, randomText } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf, listOf, subscriptionOf } from '../wire/objects';
import { MIN_AMOUNTS } from '../wire/shapes';
import { covers, discountLines, type Reduction } from './discount-amounts';
import { activeReductions } from './discounts';
import { newInvoicePayment } from './invoice-payments';
import { paymentShare } from './subscription-share';

const HOUR = 3600;
/** Smaller amounts go to the customer's balance instead of the card. */
const minCharge = (currency: string) => MIN_AMOUNTS[currency] ?? 0;

export type NewInvoice = {
  customer: Stripe.Customer;
  subscription: Stripe.Subscription;
  reason: Stripe.Invoice.BillingReason;
  lines: Stripe.InvoiceLineItem[];
  period: { start: number; end: number };
  /** A backdated start. Discounts that have ended since then still reduce the periods before their end. */
  since?: number;
};

/** Creates a draft with discounts and the customer's balance applied. */
export async function draftInvoice(work: Work, input: NewInvoice): Promise<Stripe.Invoice> {
  const { subscription, lines } = input;
  const reductions = await activeReductions(work, subscription.discounts, input.since ?? work.now());
  const id = newId(work.isPreview ? 'upcoming_in' : 'in');
  const discountAmounts = applyDiscounts(lines, reductions);
  for (const line of lines) line.invoice = id;
  const invoice = { ...invoiceFields(work, input, id), ...amountsOf(input, discountAmounts) };
  work.add(invoice, {}, 'invoice.created');
  subscription.latest_invoice = id;
  return invoice;
}

function amountsOf({ customer, lines }: NewInvoice, discountAmounts: Stripe.Invoice.TotalDiscountAmount[]) {
  const subtotal = lines.reduce((all, line) => all + line.amount, 0);
  const total = subtotal - discountAmounts.reduce((all, part) => all + part.amount, 0);
  const due = Math.max(0, total + customer.balance);
  return {
    amount_due: due,
    amount_remaining: due,
    discounts: discountAmounts.map(({ discount }) => idOf(discount)),
    subtotal,
    subtotal_excluding_tax: subtotal,
    total,
    total_discount_amounts: discountAmounts,
    total_excluding_tax: total,
  };
}

/** All fields except the amounts. */
function invoiceFields(work: Work, { customer, subscription, reason, lines, period }: NewInvoice, id: string) {
  return {
    ...NULL_FIELDS.invoice,
    ...commonFields(work),
    id,
    automatically_finalizes_at: work.now() + HOUR,
    billing_reason: reason,
    created: work.now(),
    currency: subscription.currency,
    custom_fields: subscription.invoice_settings.custom_fields,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    lines: listOf(`/v1/invoices/${id}/lines`, lines),
    parent: {
      quote_details: null,
      subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
      type: 'subscription_details' as const,
    },
    period_end: period.end,
    period_start: period.start,
    starting_balance: customer.balance,
    test_clock: idOf(customer.test_clock),
  };
}

/** Fields with the same initial value in every invoice. */
export const commonFields = ({ context }: Work) => ({
  object: 'invoice' as const,
  account_country: 'ES',
  account_name: `${context.business} (sandbox)`,
  amount_overpaid: 0,
  amount_paid: 0,
  amount_shipping: 0,
  attempt_count: 0,
  attempted: false,
  auto_advance: true,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  collection_method: 'charge_automatically' as const,
  customer_tax_exempt: 'none' as const,
  customer_tax_ids: [],
  default_tax_rates: [],
  hosted_invoice_url: null,
  invoice_pdf: null,
  issuer: { type: 'self' as const },
  livemode: false,
  metadata: {},
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  status: 'draft' as const,
  status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  total_pretax_credit_amounts: [],
  total_taxes: [],
});

function applyDiscounts(
  lines: Stripe.InvoiceLineItem[],
  reductions: Reduction[],
): Stripe.Invoice.TotalDiscountAmount[] {
  const open = lines.filter((line) => line.discountable);
  const taken = discountLines(
    open.map((line) => line.amount),
    reductions,
    open.map(({ period }) => period.start),
  );
  open.forEach((line, i) => {
    const parts = reductions.map((reduction, j) => ({ reduction, amount: taken[i]?.[j] ?? 0 }));
    const own = parts.filter(({ reduction }) => covers(reduction, line.period.start));
    line.discount_amounts = own.map(({ reduction, amount }) => ({ amount, discount: reduction.id }));
    line.discounts = own.map(({ reduction }) => reduction.id);
  });
  return reductions.map(({ id }, j) => ({ discount: id, amount: taken.reduce((all, row) => all + (row[j] ?? 0), 0) }));
}

/** Opens a draft: assigns its number and creates its payment. An invoice of zero is paid at once. */
export async function finalizeInvoice(work: Work, invoice: Stripe.Invoice, customer: Stripe.Customer): Promise<void> {
  openInvoice(work, invoice, customer);
  applyBalance(invoice, customer);
  if (invoice.amount_due > 0) {
    const intent = newIntent(work, await intentFor(work, invoice));
    work.hidden(intent).invoice = invoice.id;
    work.hidden(invoice).payment = newInvoicePayment(work, invoice, intent).id;
  }
  work.emit('invoice.finalized', invoice);
  if (invoice.amount_due === 0) markInvoicePaid(work, invoice);
}

/** Assigns the number and the pages. */
export function openInvoice(work: Work, invoice: Stripe.Invoice, customer: Stripe.Customer): void {
  const sequence = customer.next_invoice_sequence ?? 1;
  customer.next_invoice_sequence = sequence + 1;
  invoice.number = `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`;
  invoice.status = 'open';
  invoice.status_transitions.finalized_at = work.now();
  invoice.effective_at = work.now();
  invoice.automatically_finalizes_at = null;
  invoice.hosted_invoice_url = invoicePageUrl(work, invoice.id);
  invoice.invoice_pdf = invoicePdfUrl(work, invoice.id);
}

export const invoicePageUrl = ({ pages, pageQuery }: Work, id: string): string => `${pages}/invoices/${id}${pageQuery}`;
export const invoicePdfUrl = ({ pages, pageQuery }: Work, id: string): string =>
  `${pages}/invoices/${id}/pdf${pageQuery}`;

/** Credit pays first; amounts below the minimum charge are carried over on the balance. */
function applyBalance(invoice: Stripe.Invoice, customer: Stripe.Customer): void {
  const sum = invoice.total + customer.balance;
  const isDeferred = sum < minCharge(invoice.currency);
  invoice.starting_balance = customer.balance;
  invoice.ending_balance = isDeferred ? sum : 0;
  invoice.amount_due = isDeferred ? 0 : sum;
  invoice.amount_remaining = invoice.amount_due;
  customer.balance = invoice.ending_balance;
  customer.currency ??= invoice.currency;
}

async function intentFor(work: Work, invoice: Stripe.Invoice) {
  const id = subscriptionOf(invoice);
  const subscription = id === null ? null : await work.get('subscription', id);
  return {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    description: invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    setupFutureUsage: 'off_session' as const,
    ...paymentShare(subscription, invoice.amount_due),
  };
}

export function markInvoicePaid(work: Work, invoice: Stripe.Invoice): void {
  invoice.status = 'paid';
  invoice.attempted = true;
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = work.now();
  if (invoice.amount_paid > 0) invoice.receipt_number = randomText(8).toUpperCase();
  work.emit('invoice.paid', invoice);
  work.emit('invoice.payment_succeeded', invoice);
}

export function voidInvoice(work: Work, invoice: Stripe.Invoice): void {
  invoice.status = 'void';
  invoice.auto_advance = false;
  invoice.automatically_finalizes_at = null;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.voided_at = work.now();
  work.emit('invoice.voided', invoice);
}
