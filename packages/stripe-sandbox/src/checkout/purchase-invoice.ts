import type Stripe from 'stripe';
import { commonFields, markInvoicePaid, openInvoice } from '../billing/invoice-lifecycle';
import { markPaymentPaid, newInvoicePayment } from '../billing/invoice-payments';
import { productIdOf } from '../billing/prices';
import type { Work } from '../engine/account-work';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf, listOf } from '../wire/objects';
import { type Order, withPrices } from './orders';

type Session = Stripe.Checkout.Session;
export type PaidPurchase = {
  session: Session;
  order: Order;
  customer: Stripe.Customer;
  /** Null if there was nothing to pay. */
  intent: Stripe.PaymentIntent | null;
  discounts: Stripe.Discount[];
};

/** The invoice of a purchase that has just been paid ("Post-payment invoices"). */
export async function invoicePurchase(work: Work, purchase: PaidPurchase): Promise<void> {
  const { session, customer, intent } = purchase;
  const lines = await linesOf(work, purchase);
  const invoice = work.add(newInvoice(work, purchase, lines), {}, 'invoice.created');
  for (const line of lines) line.invoice = invoice.id;
  openInvoice(work, invoice, customer);
  work.emit('invoice.finalized', invoice);
  if (intent) {
    work.hidden(intent).invoice = invoice.id;
    work.hidden(invoice).payment = newInvoicePayment(work, invoice, intent).id;
    await markPaymentPaid(work, invoice);
  }
  markInvoicePaid(work, invoice);
  session.invoice = invoice.id;
}

function newInvoice(
  work: Work,
  { session, customer, discounts }: PaidPurchase,
  lines: Stripe.InvoiceLineItem[],
): Stripe.Invoice {
  const id = newId('in');
  const { custom_fields, description, footer, metadata } = session.invoice_creation!.invoice_data;
  const [subtotal, total] = [session.amount_subtotal ?? 0, session.amount_total ?? 0];
  const reduced = discounts.map((discount) => ({ amount: subtotal - total, discount: discount.id }));
  return {
    ...NULL_FIELDS.invoice,
    ...commonFields(work),
    id,
    amount_due: total,
    amount_remaining: total,
    billing_reason: 'manual',
    created: work.now(),
    currency: session.currency ?? 'eur',
    custom_fields,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    description,
    discounts: discounts.map((discount) => discount.id),
    ending_balance: customer.balance,
    footer,
    lines: listOf(`/v1/invoices/${id}/lines`, lines),
    metadata: metadata ?? {},
    period_end: work.now(),
    period_start: work.now(),
    starting_balance: customer.balance,
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: idOf(customer.test_clock),
    total,
    total_discount_amounts: reduced,
    total_excluding_tax: total,
  };
}

async function linesOf(work: Work, { order, discounts, session }: PaidPurchase): Promise<Stripe.InvoiceLineItem[]> {
  const { lines, prices } = await withPrices(work, order);
  const off = session.total_details?.amount_discount ?? 0;
  const [discount] = discounts;
  return lines.map((line, i) => {
    const price = prices[i]!;
    const reduced = discount && lines.length === 1 ? [{ amount: off, discount: discount.id }] : [];
    return newLine(work, { price, quantity: line.quantity, name: line.name, reduced });
  });
}

type NewLine = {
  price: Stripe.Price;
  quantity: number;
  name: string;
  reduced: Stripe.InvoiceLineItem.DiscountAmount[];
};

function newLine(work: Work, { price, quantity, name, reduced }: NewLine): Stripe.InvoiceLineItem {
  const amount = (price.unit_amount ?? 0) * quantity;
  return {
    ...NULL_FIELDS.invoiceLineItem,
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description: name,
    discount_amounts: reduced,
    discountable: true,
    discounts: reduced.map(({ discount }) => idOf(discount)),
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: {
        invoice_item: newId('ii'),
        proration: false,
        proration_details: null,
        subscription: null,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    period: { start: work.now(), end: work.now() },
    pricing: {
      price_details: { price: price.id, product: productIdOf(price) },
      type: 'price_details',
      unit_amount_decimal: String(price.unit_amount ?? 0) as never,
    },
    quantity,
    subtotal: amount,
    taxes: [],
  };
}
