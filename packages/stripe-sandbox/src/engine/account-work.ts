import type { Hidden, Kind, Kinds, Ref } from '../wire/objects';
import type { EventType } from './events';
import { flushUnit, remove } from './persistence';
import { type BalanceSums, balanceSums, type Criteria, find, get, listObjects, type Paging, preload } from './queries';
import { PLATFORM, type Sql } from './store';
import {
  add,
  emitEvent,
  emitUpdate,
  newUnitOfWork,
  trackedOf,
  type UnitOfWork,
  type WorkContext,
} from './unit-of-work';

/**
 * A unit of work for one account. Objects are read once and changed in place; `flush` writes the changed ones together
 * with their events. `updated` events come from the difference, so that no change is missed.
 */
export type Work = {
  sql: Sql;
  context: WorkContext;
  account: string;
  /** URL of the hosted pages. */
  pages: string;
  /** For the URL of a page: the account, unless it is the platform. */
  pageQuery: string;
  isPreview: boolean;
  get<K extends Kind>(kind: K, ref: Ref): Promise<Kinds[K] | null>;
  /** @throws Stripe's fault for a missing resource, with the parameter's name */
  find<K extends Kind>(kind: K, ref: Ref, param?: string): Promise<Kinds[K]>;
  list<K extends Kind>(kind: K, criteria: Criteria, paging: Paging): Promise<Kinds[K][]>;
  preload(ids: string[]): Promise<void>;
  balanceSums(): Promise<BalanceSums[]>;
  add<T extends Kinds[Kind]>(object: T, hidden?: Hidden, event?: EventType): T;
  /** Records an event with the object's present state. */
  emit(type: EventType, object: Kinds[Kind]): void;
  /** Records an `updated` event now instead of in `flush`, if the object has changed. */
  emitUpdate(object: Kinds[Kind]): void;
  remove(object: { id: string }): Promise<void>;
  flush(): Promise<void>;
  now(): number;
  /** Sets the time for all later changes. */
  setNow(seconds: number): void;
  hidden(object: { id: string }): Hidden;
  /** The same unit of work for another account. */
  forAccount(account: string): Work;
  /** A separate unit of work at the same time, never written: for previews. */
  preview(): Work;
};

export const openWork = (sql: Sql, account: string, context: WorkContext): Work =>
  workFor(newUnitOfWork(sql, context), account);

export function workFor(unit: UnitOfWork, account: string): Work {
  const scope = { unit, account };
  return {
    sql: unit.sql,
    context: unit.context,
    account,
    pages: unit.context.pages,
    pageQuery: account === PLATFORM ? '' : `?account=${account}`,
    isPreview: unit.isPreview,
    get: (kind, ref) => get(scope, kind, ref),
    find: (kind, ref, param) => find(scope, kind, ref, param),
    list: (kind, criteria, paging) => listObjects(scope, kind, criteria, paging),
    preload: (ids) => preload(scope, ids),
    balanceSums: () => balanceSums(scope),
    add: (object, hidden = {}, event) => add(scope, object, hidden, event),
    emit: (type, object) => emitEvent(unit, trackedOf(scope, object), type),
    emitUpdate: (object) => emitUpdate(unit, trackedOf(scope, object)),
    remove: (object) => remove(scope, object),
    flush: () => flushUnit(unit),
    now: () => unit.now,
    setNow: (seconds) => {
      unit.now = seconds;
    },
    hidden: (object) => trackedOf(scope, object).hidden,
    forAccount: (other) => workFor(unit, other),
    preview: () => workFor({ ...unit, isPreview: true, tracked: new Map(), events: [] }, account),
  };
}
