import type { Hidden, Kind, Kinds, Ref } from '../wire/objects';
import type { EventType } from './events';
import { flush, remove } from './persistence';
import { type Criteria, find, get, list, load, type Paging, type Sums, sums } from './queries';
import type { Sql } from './store';
import { add, type Core, entryOf, newCore, type Setting, tell, tellChange } from './unit-of-work';

/**
 * One unit of work, seen from an account: what was read is held once and may be changed in place; `flush` writes what
 * changed, with the events that tell of it. `updated` events are made from the difference, so that no change goes untold.
 */
export type Work = {
  sql: Sql;
  setting: Setting;
  account: string;
  /** Where the hosted pages stand. */
  pages: string;
  /** Whether this is a preview. */
  rehearses: boolean;
  get<K extends Kind>(kind: K, ref: Ref): Promise<Kinds[K] | null>;
  /** @throws Stripe's fault of what is not there, naming the parameter */
  find<K extends Kind>(kind: K, ref: Ref, param?: string): Promise<Kinds[K]>;
  list<K extends Kind>(kind: K, criteria: Criteria, paging: Paging): Promise<Kinds[K][]>;
  load(ids: string[]): Promise<void>;
  sums(): Promise<Sums[]>;
  add<T extends Kinds[Kind]>(object: T, hidden?: Hidden, event?: EventType): T;
  /** Tells what happened to an object, as it is now. */
  emit(type: EventType, object: Kinds[Kind]): void;
  /** Tells of a change now, where there is one, and not only at the end. */
  changed(object: Kinds[Kind]): void;
  remove(object: { id: string }): Promise<void>;
  flush(): Promise<void>;
  now(): number;
  /** From here on, this work happens at that moment. */
  at(seconds: number): void;
  hidden(object: { id: string }): Hidden;
  /** The same work, seen from another account. */
  on(account: string): Work;
  /** The same moment, where nothing that is done leaves a trace: for previews. */
  rehearsal(): Work;
};

export const openWork = (sql: Sql, account: string, setting: Setting): Work => workOn(newCore(sql, setting), account);

export function workOn(core: Core, account: string): Work {
  const seat = { core, account };
  return {
    sql: core.sql,
    setting: core.setting,
    account,
    pages: core.setting.pages,
    rehearses: core.rehearsal,
    get: (kind, ref) => get(seat, kind, ref),
    find: (kind, ref, param) => find(seat, kind, ref, param),
    list: (kind, criteria, paging) => list(seat, kind, criteria, paging),
    load: (ids) => load(seat, ids),
    sums: () => sums(seat),
    add: (object, hidden = {}, event) => add(seat, object, hidden, event),
    emit: (type, object) => tell(core, entryOf(seat, object), type),
    changed: (object) => tellChange(core, entryOf(seat, object)),
    remove: (object) => remove(seat, object),
    flush: () => flush(core),
    now: () => core.now,
    at: (seconds) => {
      core.now = seconds;
    },
    hidden: (object) => entryOf(seat, object).hidden,
    on: (other) => workOn(core, other),
    rehearsal: () => workOn({ ...core, rehearsal: true, entries: new Map(), events: [] }, account),
  };
}
