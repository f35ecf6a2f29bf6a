import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { productIdOf } from './prices';
import { itemOf } from './subscription-items';

export type NewLine = {
  subscription: Stripe.Subscription;
  item: Stripe.SubscriptionItem;
  price: Stripe.Price;
  amount: number;
  start: number;
  end: number;
  description: string;
  proration?: boolean;
};

/** Creates an invoice line for a subscription's period or part of one. */
export function newLine(input: NewLine): Stripe.InvoiceLineItem {
  const { subscription, item, price, amount, start, end, description, proration = false } = input;
  return {
    ...NULL_FIELDS.invoiceLineItem,
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description,
    discount_amounts: [],
    discountable: !proration,
    discounts: [],
    livemode: false,
    metadata: { ...subscription.metadata },
    parent: parentOf(input),
    period: { start, end },
    pricing: {
      price_details: { price: price.id, product: productIdOf(price) } as Stripe.InvoiceLineItem.Pricing.PriceDetails,
      type: 'price_details',
      unit_amount_decimal: String(price.unit_amount ?? 0) as never,
    },
    quantity: item.quantity ?? 1,
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
}

const parentOf = ({ subscription, item, proration = false }: NewLine): Stripe.InvoiceLineItem.Parent => ({
  invoice_item_details: null,
  subscription_item_details: {
    invoice_item: proration ? newId('ii') : null,
    proration,
    proration_details: proration ? { credited_items: null } : null,
    subscription: subscription.id,
    subscription_item: item.id,
  } as Stripe.InvoiceLineItem.Parent.SubscriptionItemDetails,
  type: 'subscription_item_details',
});

const day = (at: number) => new Date(at * 1000).toISOString().slice(0, 10);

export async function productNameOf(work: Work, price: Stripe.Price): Promise<string> {
  return (await work.get('product', productIdOf(price)))?.name ?? 'Subscription';
}

export const amountOf = (item: Stripe.SubscriptionItem): number => (item.price.unit_amount ?? 0) * (item.quantity ?? 1);

/** The line of a whole period; a trial costs nothing. */
export async function periodLine(work: Work, subscription: Stripe.Subscription, trial = false) {
  const item = itemOf(subscription);
  const name = await productNameOf(work, item.price);
  const { current_period_start: start, current_period_end: end, price } = item;
  const description = trial
    ? `Trial period for ${name}`
    : `${item.quantity ?? 1} × ${name} (at ${((price.unit_amount ?? 0) / 100).toFixed(2)} / ${price.recurring?.interval})`;
  return newLine({ subscription, item, price, amount: trial ? 0 : amountOf(item), start, end, description });
}

/** Credit for the rest of a period (`item` before the change), or its price (`item` after it). */
export async function prorationLine(
  work: Work,
  what: 'Unused' | 'Remaining',
  { subscription, item, amount, at }: Pick<NewLine, 'subscription' | 'item' | 'amount'> & { at: number },
) {
  const { price, current_period_end: end } = item;
  const description = `${what} time on ${await productNameOf(work, price)} after ${day(at)}`;
  return newLine({ subscription, item, price, amount, start: at, end, description, proration: true });
}
