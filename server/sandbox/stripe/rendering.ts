import { confirmationSecret, invoicePayments } from './invoice-payments';
import type { Kind } from './kinds';
import { lineItemsOf } from './orders';
import { refundsOf } from './refunds';
import { refused } from './wire/faults';
import type { Work } from './work';

type Json = Record<string, unknown>;

const DEEPEST = 4;

/** Fields whose text is an object's id, though their name is another than the kind's. */
const KINDS_BY_PREFIX: Record<string, Kind> = {
  acct: 'account',
  ch: 'charge',
  cs: 'checkout.session',
  cus: 'customer',
  di: 'discount',
  du: 'dispute',
  fee: 'application_fee',
  fr: 'fee_refund',
  in: 'invoice',
  inpay: 'invoice_payment',
  pi: 'payment_intent',
  pm: 'payment_method',
  po: 'payout',
  price: 'price',
  prod: 'product',
  promo: 'promotion_code',
  py: 'charge',
  re: 'refund',
  pyr: 'refund',
  seti: 'setup_intent',
  sub: 'subscription',
  clock: 'test_helpers.test_clock',
  tr: 'transfer',
  trr: 'transfer_reversal',
  txn: 'balance_transaction',
};

/** Fields that are there only when they are asked for. */
const INCLUDABLE: Record<string, (work: Work, id: string) => Promise<unknown>> = {
  'invoice.payments': invoicePayments,
  'invoice.confirmation_secret': confirmationSecret,
  'checkout.session.line_items': lineItemsOf,
  'charge.refunds': refundsOf,
};

/** Replaces ids by what they stand for along each path of `expand[]` (`data.customer`, `latest_invoice.payments`). */
export async function expanded(work: Work, answer: unknown, paths: string[]): Promise<unknown> {
  if (paths.length === 0) return answer;
  const copy = structuredClone(answer) as Json;
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.length > DEEPEST + 1) throw refused(`You cannot expand more than ${DEEPEST} levels of a property.`);
    await expandAlong(work, copy, steps, path);
  }
  return copy;
}

async function expandAlong(work: Work, at: unknown, [step, ...rest]: string[], path: string): Promise<void> {
  if (step === undefined || at === null || typeof at !== 'object') return;
  if (Array.isArray(at)) {
    for (const item of at) await expandAlong(work, item, [step, ...rest], path);
    return;
  }
  const holder = at as Json;
  const include = INCLUDABLE[`${String(holder.object)}.${step}`];
  if (include && holder[step] === undefined) holder[step] = structuredClone(await include(work, String(holder.id)));
  if (!(step in holder)) throw cannot(path);
  const value = holder[step];
  if (typeof value === 'string') {
    const found = await lookUp(work, step, value);
    if (!found) throw cannot(path);
    holder[step] = structuredClone(found);
  } else if (Array.isArray(value)) {
    holder[step] = await Promise.all(
      value.map(async (item) => (typeof item === 'string' ? structuredClone(await lookUp(work, step, item)) : item)),
    );
  }
  await expandAlong(work, holder[step], rest, path);
}

const cannot = (path: string) => refused(`This property cannot be expanded (${path}).`, { param: 'expand' });

async function lookUp(work: Work, field: string, id: string): Promise<object | null> {
  if (field === 'coupon') return work.get('coupon', id);
  const kind = KINDS_BY_PREFIX[id.slice(0, id.indexOf('_'))];
  return kind ? work.get(kind, id) : null;
}
