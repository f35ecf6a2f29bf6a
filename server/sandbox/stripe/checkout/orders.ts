import type Stripe from 'stripe';
import { redeemable } from '../billing/coupons';
import { discountLines, type Reduction } from '../billing/discount-amounts';
import type { AskedDiscount } from '../billing/discounts';
import { newPrice, PRICE_DATA } from '../billing/prices';
import { couponOfCode, redeemableCode } from '../billing/promotion-codes';
import type { Work } from '../engine/account-work';
import { DAY } from '../engine/time';
import { missingParameter, refused } from '../wire/faults';
import { newId } from '../wire/ids';
import { BLANK } from '../wire/null-fields';
import { listOf } from '../wire/objects';
import { group, many, text, whole } from '../wire/shapes';

export const LINES = many(group({ price: text(), price_data: group(PRICE_DATA), quantity: whole(1, 1_000_000) }));
type AskedLine = ReturnType<(typeof LINES)['read']>[number];

/** What a session's customer will get; made when the customer pays. */
export type Order = {
  lines: { id: string; price: string; quantity: number; name: string }[];
  discounts: AskedDiscount[];
  payment: PaymentPart;
  subscription: SubscriptionPart;
  setupMetadata: Record<string, string>;
  createsCustomer: boolean;
  /** The card that waits for its owner to prove themselves. */
  pendingCard?: string;
};
export type PaymentPart = {
  description: string | null;
  metadata: Record<string, string>;
  receiptEmail: string | null;
  savesCard: boolean;
  fee: number | null;
  destination: { account: string; amount: number | null } | null;
};
export type SubscriptionPart = {
  trialDays: number | null;
  trialEnd: number | null;
  metadata: Record<string, string>;
  description: string | null;
  feePercent: number | null;
  destination: string | null;
  onMissingCard?: 'cancel' | 'pause' | 'create_invoice';
};

/** The lines of an order with what each costs. */
export type Priced = { lines: Order['lines']; prices: Stripe.Price[] };

export async function orderLines(work: Work, asked: AskedLine[], mode: string): Promise<Priced> {
  if (asked.length === 0) throw missingParameter('line_items');
  const prices: Stripe.Price[] = [];
  const lines: Order['lines'] = [];
  for (const [i, line] of asked.entries()) {
    const price = line.price
      ? await work.find('price', line.price, `line_items[${i}][price]`)
      : await newPrice(work, line.price_data ?? lacking(i));
    if (mode === 'payment' && price.recurring)
      throw refused('You specified `payment` mode but passed a recurring price.', { param: `line_items[${i}]` });
    if (mode === 'subscription' && !price.recurring)
      throw refused('This sandbox takes recurring prices only in `subscription` mode.', { param: `line_items[${i}]` });
    const product = await work.get('product', String(price.product));
    prices.push(price);
    lines.push({
      id: newId('li'),
      price: price.id,
      quantity: line.quantity ?? lackingQuantity(i),
      name: product?.name ?? '',
    });
  }
  return { lines, prices };
}

function lacking(i: number): never {
  throw missingParameter(`line_items[${i}][price]`);
}

function lackingQuantity(i: number): never {
  throw missingParameter(`line_items[${i}][quantity]`);
}

export const priced = async (work: Work, { lines }: Order): Promise<Priced> => ({
  lines,
  prices: await Promise.all(lines.map((line) => work.find('price', line.price))),
});

/** When the trial would end that begins now; null where there is none. */
export function trialEndOf({ subscription }: Order, now: number): number | null {
  const { trialDays, trialEnd } = subscription;
  return trialEnd ?? (trialDays === null ? null : now + trialDays * DAY);
}

/** Discounts that were asked for and are not redeemed yet. */
export async function promised(work: Work, asked: AskedDiscount[], currency: string): Promise<Reduction[]> {
  const found: Reduction[] = [];
  for (const { coupon, promotion_code: codeId } of asked) {
    const code = codeId ? await redeemableCode(work, codeId, 'discounts[0][promotion_code]') : null;
    const it = await redeemable(work, coupon ?? (code ? couponOfCode(code) : ''), currency, 'discounts[0][coupon]');
    found.push({ id: it.id, percent: it.percent_off, amount: it.amount_off });
  }
  return found;
}

export type Totals = { subtotal: number; discount: number; total: number; perLine: number[] };

/** What an order comes to today, with some reductions. */
export const totalsToday = async (work: Work, order: Order, reductions: Reduction[]): Promise<Totals> =>
  totalsOf(await priced(work, order), reductions, trialEndOf(order, work.now()) !== null);

/** What an order comes to; `free` where a trial comes first. */
export function totalsOf({ prices, lines }: Priced, reductions: Reduction[], free = false): Totals {
  const amounts = lines.map((line, i) => (free ? 0 : (prices[i]?.unit_amount ?? 0) * line.quantity));
  const perLine = discountLines(amounts, reductions).map((taken) => taken.reduce((all, part) => all + part, 0));
  const subtotal = amounts.reduce((all, amount) => all + amount, 0);
  const discount = perLine.reduce((all, amount) => all + amount, 0);
  return { subtotal, discount, total: subtotal - discount, perLine };
}

/** `line_items` of a session, shown when asked for. */
export async function lineItemsOf(work: Work, sessionId: string): Promise<Stripe.ApiList<Stripe.LineItem>> {
  const session = await work.find('checkout.session', sessionId);
  const order = work.hidden(session).order as Order;
  const { lines, prices } = await priced(work, order);
  const open = session.status === 'open' && session.currency !== null;
  const reductions = open ? await promised(work, order.discounts, session.currency ?? '') : [];
  const { perLine } = totalsOf({ lines, prices }, reductions);
  const data = lines.map((line, i): Stripe.LineItem => {
    const subtotal = (prices[i]?.unit_amount ?? 0) * line.quantity;
    const off = open ? (perLine[i] ?? 0) : lines.length === 1 ? (session.total_details?.amount_discount ?? 0) : 0;
    return {
      ...BLANK.lineItem,
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
