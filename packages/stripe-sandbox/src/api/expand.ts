import type { Work } from '../engine/account-work';
import { invalidRequest } from '../wire/faults';
import type { Kind } from '../wire/objects';

type Json = Record<string, unknown>;
/** Fields that are only included on request, by `object.field`. */
export type Expansions = Record<string, (work: Work, id: string) => Promise<unknown>>;
type Options = { paths: string[]; expansions: Expansions };

const MAX_LEVELS = 4;

/** The kind of an object by the prefix of its id. */
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
  issfr: 'radar.early_fraud_warning',
  po: 'payout',
  price: 'price',
  prod: 'product',
  promo: 'promotion_code',
  prv: 'review',
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

/** Replaces ids with their objects along each path of `expand[]` (`data.customer`, `latest_invoice.payments`). */
export async function expand(work: Work, result: unknown, { paths, expansions }: Options): Promise<unknown> {
  if (paths.length === 0) return result;
  const copy = structuredClone(result) as Json;
  for (const path of paths) {
    const steps = path.split('.');
    if (steps.length > MAX_LEVELS + 1)
      throw invalidRequest(`You cannot expand more than ${MAX_LEVELS} levels of a property.`);
    await expandPath({ work, path, expansions }, copy, steps);
  }
  return copy;
}

type Expanding = { work: Work; path: string; expansions: Expansions };

async function expandPath(expanding: Expanding, value: unknown, [step, ...rest]: string[]): Promise<void> {
  if (step === undefined || value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const item of value) await expandPath(expanding, item, [step, ...rest]);
    return;
  }
  const parent = value as Json;
  await expandField(expanding, parent, step);
  await expandPath(expanding, parent[step], rest);
}

async function expandField({ work, path, expansions }: Expanding, parent: Json, field: string): Promise<void> {
  const include = expansions[`${String(parent.object)}.${field}`];
  if (include && parent[field] === undefined) parent[field] = structuredClone(await include(work, String(parent.id)));
  if (!(field in parent)) throw notExpandable(path);
  const value = parent[field];
  if (typeof value === 'string') {
    const found = await findById(work, field, value);
    if (!found) throw notExpandable(path);
    parent[field] = structuredClone(found);
  } else if (Array.isArray(value)) {
    parent[field] = await Promise.all(
      value.map(async (item) => (typeof item === 'string' ? structuredClone(await findById(work, field, item)) : item)),
    );
  }
}

const notExpandable = (path: string) =>
  invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });

async function findById(work: Work, field: string, id: string): Promise<object | null> {
  // coupon ids are chosen by the caller and have no prefix
  if (field === 'coupon') return work.get('coupon', id);
  const kind = KINDS_BY_PREFIX[id.slice(0, id.indexOf('_'))];
  return kind ? work.get(kind, id) : null;
}
