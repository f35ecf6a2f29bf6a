import type { Hidden, Kind, Kinds } from '../wire/objects';
import { type EventType, type NewEvent, newEvent, updateEventType } from './events';
import type { Log } from './log';
import type { ObjectRow, Sql } from './store';

/** An object that a unit of work has read or added; `lastSent` is its JSON in the last event about it. */
export type Tracked = { account: string; object: Kinds[Kind]; hidden: Hidden; stored: string; lastSent: string | null };

/** The currency in which payments are settled, and the rate. */
export type Conversion = { to: string; rate: number };

/**
 * `captureSeconds`: how long after a payment its capture is complete; null for at once, as before version 2024-04-10 of
 * the API. `settlementDays`: how long its money stays pending from then on, which depends on the account's country.
 */
export type Timing = { captureSeconds: number | null; settlementDays: number };

/** The conditions under which a unit of work runs. */
export type WorkContext = {
  now: number;
  /** URL of the hosted pages. */
  pages: string;
  /** Name of the selling business. */
  business: string;
  log: Log;
  /** By currency in which the platform has no bank account. */
  conversions: ReadonlyMap<string, Conversion>;
  timing: Readonly<Timing>;
  /** The API call that caused it. */
  request?: { id: string; key: string | null };
};

/** The state that all account scopes of a unit of work share. */
export type UnitOfWork = {
  sql: Sql;
  context: WorkContext;
  /** Previews are never written. */
  isPreview: boolean;
  tracked: Map<string, Tracked>;
  events: NewEvent[];
  now: number;
};

/** A unit of work as one account sees it. */
export type AccountScope = { unit: UnitOfWork; account: string };

/** Events of passing time have no API call. */
const NO_REQUEST = { id: null, key: null };

export const newUnitOfWork = (sql: Sql, context: WorkContext): UnitOfWork => ({
  sql,
  context,
  isPreview: false,
  tracked: new Map(),
  events: [],
  now: context.now,
});

export const trackingKey = (account: string, id: string): string => `${account}/${id}`;

export function trackedOf({ unit, account }: AccountScope, object: { id: string }): Tracked {
  const tracked = unit.tracked.get(trackingKey(account, object.id));
  if (!tracked) throw new Error(`${object.id} is not part of this unit of work`);
  return tracked;
}

/** Returns the tracked object if there is one already: it may hold unsaved changes. */
export function track(unit: UnitOfWork, row: ObjectRow): Tracked {
  const key = trackingKey(row.account, row.id);
  const existing = unit.tracked.get(key);
  if (existing) return existing;
  const tracked: Tracked = {
    account: row.account,
    object: JSON.parse(row.text),
    hidden: JSON.parse(row.hidden),
    stored: row.text + row.hidden,
    lastSent: row.text,
  };
  unit.tracked.set(key, tracked);
  return tracked;
}

export function add<T extends Kinds[Kind]>(
  { unit, account }: AccountScope,
  object: T,
  hidden: Hidden,
  event?: EventType,
): T {
  const tracked: Tracked = { account, object, hidden, stored: '', lastSent: null };
  unit.tracked.set(trackingKey(account, object.id), tracked);
  if (event) emitEvent(unit, tracked, event);
  return object;
}

/** Records an event with the object's present state. */
export function emitEvent(unit: UnitOfWork, tracked: Tracked, type: EventType): void {
  const text = JSON.stringify(tracked.object);
  const { object, lastSent: before } = tracked;
  // an account belongs to the platform, but its events are its own ("Connect webhooks")
  const account = object.object === 'account' ? object.id : tracked.account;
  unit.events.push(
    newEvent({ type, account, text, before, now: unit.now, request: unit.context.request ?? NO_REQUEST }),
  );
  tracked.lastSent = text;
}

/** Records an `updated` event if the object differs from the last event about it. */
export function emitUpdate(unit: UnitOfWork, tracked: Tracked, text = JSON.stringify(tracked.object)): void {
  const type = updateEventType(tracked.object);
  if (type && tracked.lastSent !== null && tracked.lastSent !== text) emitEvent(unit, tracked, type);
}
