import type Stripe from 'stripe';
import type { AnyMoney, Money } from '../../base/money';

/** The id of an expandable field. */
export function idOf(ref: string | { id: string } | null | undefined): string | null {
  return ref === null || ref === undefined ? null : typeof ref === 'string' ? ref : ref.id;
}

/** The object of an expanded field; null if it is only an id. */
export function expandedOrNull<T extends { id: string }>(ref: string | T | null | undefined): T | null {
  return ref === null || ref === undefined || typeof ref === 'string' ? null : ref;
}

export const toDate = (seconds: number) => new Date(seconds * 1000);
export const toDateOrNull = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined ? null : toDate(seconds);
export const toSeconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** The provider has more currencies than we sell in: subscriptions of a connected account may use any of them. */
export const toMoney = (minor: number, currency: string): AnyMoney => ({ minor, currency });

type LineItem = { name: string; price: Money; description?: string; every?: 'month' | 'year' };

/** A line item with an inline price and product. */
export function lineItemOf({ name, price: { minor, currency }, description, every }: LineItem) {
  return {
    quantity: 1,
    price_data: {
      currency,
      unit_amount: minor,
      product_data: { name, description },
      ...(every && { recurring: { interval: every } }),
    },
  } satisfies Stripe.Checkout.SessionCreateParams.LineItem;
}
