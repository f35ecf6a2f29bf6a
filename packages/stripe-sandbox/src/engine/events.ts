import Stripe from 'stripe';
import { newId } from '../wire/ids';
import type { Kind, Kinds } from '../wire/objects';
import { type NewRow, PLATFORM } from './store';

export const API_VERSION = Stripe.API_VERSION;

/** The event types that the SDK knows. */
export type EventType = Stripe.Event['type'];

const UPDATED: Partial<Record<Kind, EventType>> = {
  account: 'account.updated',
  charge: 'charge.updated',
  coupon: 'coupon.updated',
  customer: 'customer.updated',
  discount: 'customer.discount.updated',
  dispute: 'charge.dispute.updated',
  invoice: 'invoice.updated',
  payment_method: 'payment_method.updated',
  payout: 'payout.updated',
  price: 'price.updated',
  product: 'product.updated',
  promotion_code: 'promotion_code.updated',
  refund: 'refund.updated',
  subscription: 'customer.subscription.updated',
  transfer: 'transfer.updated',
};

/** The type of an object's `updated` event; null if there is none. */
export function updateEventType(object: Kinds[Kind]): EventType | null {
  // only methods that belong to a customer have 'payment_method.updated'
  if (object.object === 'payment_method' && object.customer === null) return null;
  // 'customer.deleted' is a customer's last event
  if (object.object === 'customer' && object.deleted !== undefined) return null;
  return UPDATED[object.object] ?? null;
}

export type NewEvent = { type: EventType; row: NewRow };

type EventInput = {
  type: EventType;
  account: string;
  /** The object's JSON now. */
  text: string;
  /** Its JSON in the previous event. */
  before: string | null;
  now: number;
  request: { id: string | null; key: string | null };
};

export function newEvent({ type, account, text, before, now, request }: EventInput): NewEvent {
  const id = newId('evt');
  const previous = before !== null && /\.(?:updated|detached)$/.test(type) ? previousAttributes(text, before) : null;
  const head = {
    id,
    object: 'event',
    ...(account !== PLATFORM && { account }),
    api_version: API_VERSION,
    created: now,
    livemode: false,
    pending_webhooks: 0,
    request: { id: request.id, idempotency_key: request.key },
    type,
  };
  const data = `{"object":${text}${previous ? `,"previous_attributes":${JSON.stringify(previous)}` : ''}}`;
  const json = `${JSON.stringify(head).slice(0, -1)},"data":${data}}`;
  const row = { account, id, kind: 'event', created: now, due: null, clock: null, customer: null, parent: null };
  return { type, row: { ...row, data: json, hidden: '{}' } };
}

/** The previous values of the changed top-level fields. */
export function previousAttributes(after: string, before: string): Record<string, unknown> {
  const now = JSON.parse(after) as Record<string, unknown>;
  const then = JSON.parse(before) as Record<string, unknown>;
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])];
  const changed = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(then[name]));
  return Object.fromEntries(changed.map((name) => [name, then[name] ?? null]));
}
