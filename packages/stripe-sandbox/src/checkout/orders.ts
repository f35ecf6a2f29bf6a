import type Stripe from 'stripe';
import { findRedeemableCoupon } from '../billing/coupons';
import { discountLines, type Reduction } from '../billing/discount-amounts';
import type { DiscountInput } from '../billing/discounts';
import { CHECKOUT_PRICE, newPrice } from '../billing/prices';
import { couponIdOf, findRedeemableCode } from '../billing/promotion-codes';
import type { Share } from '../billing/subscription-share';
import type { Work } from '../engine/account-work';
import { DAY } from '../engine/time';
import { invalidRequest, missingParameter } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { listOf } from '../wire/objects';
import { arrayOf, group, integer, text } from '../wire/shapes';

export const LINE_ITEMS = arrayOf(
  group({ price: text(), price_data: group(CHECKOUT_PRICE), quantity: integer(1, 1_000_000) }),
);
type LineInput = ReturnType<(typeof LINE_ITEMS)['read']>[number];

/** The objects that a session creates when the customer pays. */
export type Order = {
  lines: { id: string; price: string; quantity: number; name: string; description?: string | null }[];
  discounts: DiscountInput[];
  payment: PaymentPart;
  subscription: SubscriptionPart;
  setup: { metadata: Record<string, string>; description: string | null };
  createsCustomer: boolean;
  /** The card that is waiting for authentication. */
  pendingCard?: string;
};
export type PaymentPart = {
  description: string | null;
  metadata: Record<string, string>;
  receiptEmail: string | null;
  /** The suffix on the card statement. */
  suffix: string | null;
  futureUsage: 'off_session' | 'on_session' | null;
  fee: number | null;
  destination: { account: string; amount: number | null } | null;
};
export type SubscriptionPart = {
  trialDays: number | null;
  trialEnd: number | null;
  metadata: Record<string, string>;
  description: string | null;
  share: Share;
  onMissingCard?: 'cancel' | 'pause' | 'create_invoice';
};

/** The lines of an order with their prices. */
export type PricedOrder = { lines: Order['lines']; prices: Stripe.Price[] };

export async function orderLines(work: Work, inputs: LineInput[], mode: string): Promise<PricedOrder> {
  if (inputs.length === 0) throw missingParameter('line_items');
  const prices: Stripe.Price[] = [];
  const lines: Order['lines'] = [];
  for (const [i, line] of inputs.entries()) {
    const price = line.price
      ? await work.find('price', line.price, `line_items[${i}][price]`)
      : await newPrice(work, line.price_data ?? missingPrice(i));
    if (mode === 'payment' && price.recurring)
      throw invalidRequest('You specified `payment` mode but passed a recurring price.', { param: `line_items[${i}]` });
    if (mode === 'subscription' && !price.recurring)
      throw invalidRequest('This sandbox supports only recurring prices in `subscription` mode.', {
        param: `line_items[${i}]`,
      });
    const product = await work.get('product', String(price.product));
    prices.push(price);
    lines.push({
      id: newId('li'),
      price: price.id,
      quantity: line.quantity ?? missingQuantity(i),
      name: product?.name ?? '',
      description: product?.description,
    });
  }
  return { lines, prices };
}

function missingPrice(i: number): never {
  throw missingParameter(`line_items[${i}][price]`);
}

function missingQuantity(i: number): never {
  throw missingParameter(`line_items[${i}][quantity]`);
}

export const withPrices = async (work: Work, { lines }: Order): Promise<PricedOrder> => ({
  lines,
  prices: await Promise.all(lines.map((line) => work.find('price', line.price))),
});

/** When a trial that starts now would end; null without a trial. */
export function trialEndOf({ subscription }: Order, now: number): number | null {
  const { trialDays, trialEnd } = subscription;
  return trialEnd ?? (trialDays === null ? null : now + trialDays * DAY);
}

/** The reductions of requested discounts that are not redeemed yet. */
export async function findReductions(work: Work, inputs: DiscountInput[], currency: string): Promise<Reduction[]> {
  const found: Reduction[] = [];
  for (const { coupon, promotion_code: codeId } of inputs) {
    const code = codeId ? await findRedeemableCode(work, codeId, { param: 'discounts[0][promotion_code]' }) : null;
    const it = await findRedeemableCoupon(
      work,
      coupon ?? (code ? couponIdOf(code) : ''),
      currency,
      'discounts[0][coupon]',
    );
    found.push({ id: it.id, percent: it.percent_off, amount: it.amount_off });
  }
  return found;
}

export type Totals = { subtotal: number; discount: number; total: number; perLine: number[] };

/** The amount due today after the reductions. */
export const totalsToday = async (work: Work, order: Order, reductions: Reduction[]): Promise<Totals> =>
  totalsOf(await withPrices(work, order), reductions, trialEndOf(order, work.now()) !== null);

/** @param free whether the order starts with a trial */
export function totalsOf({ prices, lines }: PricedOrder, reductions: Reduction[], free = false): Totals {
  const amounts = lines.map((line, i) => (free ? 0 : (prices[i]?.unit_amount ?? 0) * line.quantity));
  const perLine = discountLines(amounts, reductions).map((taken) => taken.reduce((all, part) => all + part, 0));
  const subtotal = amounts.reduce((all, amount) => all + amount, 0);
  const discount = perLine.reduce((all, amount) => all + amount, 0);
  return { subtotal, discount, total: subtotal - discount, perLine };
}

/** `line_items` of a session, included on request. */
export async function lineItemsOf(work: Work, sessionId: string): Promise<Stripe.ApiList<Stripe.LineItem>> {
  const session = await work.find('checkout.session', sessionId);
  const order = work.hidden(session).order as Order;
  const { lines, prices } = await withPrices(work, order);
  const open = session.status === 'open' && session.currency !== null;
  const reductions = open ? await findReductions(work, order.discounts, session.currency ?? '') : [];
  const { perLine } = totalsOf({ lines, prices }, reductions);
  const data = lines.map((line, i): Stripe.LineItem => {
    const subtotal = (prices[i]?.unit_amount ?? 0) * line.quantity;
    const off = open ? (perLine[i] ?? 0) : lines.length === 1 ? (session.total_details?.amount_discount ?? 0) : 0;
    return {
      ...NULL_FIELDS.lineItem,
      id: line.id,
      object: 'item',
      amount_discount: off,
      amount_subtotal: subtotal,
      amount_tax: 0,
      amount_total: subtotal - off,
      currency: prices[i]?.currency ?? 'eur',
      description: line.name,
      metadata: {},
      price: prices[i] ?? null,
      quantity: line.quantity,
    };
  });
  return listOf(`/v1/checkout/sessions/${sessionId}/line_items`, data);
}
