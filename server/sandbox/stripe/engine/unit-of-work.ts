import type { Log } from '../../../log';
import type { Hidden, Kind, Kinds } from '../wire/objects';
import { type EventType, type Happened, newEvent, updatedType } from './events';
import type { Row, Sql } from './store';

/** An object as a piece of work holds it; `told` is the text that the last event about it carried. */
export type Entry = { account: string; object: Kinds[Kind]; hidden: Hidden; stored: string; told: string | null };

/** When, where and for whom something is done. */
export type Setting = {
  now: number;
  /** Where the hosted pages stand. */
  pages: string;
  log: Log;
  /** The call that asked for it. */
  request?: { id: string; key: string | null };
};

/** What one piece of work shares, from whichever account it looks. */
export type Core = {
  sql: Sql;
  setting: Setting;
  /** Nothing is written. */
  rehearsal: boolean;
  entries: Map<string, Entry>;
  events: Happened[];
  now: number;
};

/** A piece of work, seen from one account. */
export type Seat = { core: Core; account: string };

/** Who asks that time passes. */
const NOBODY = { id: null, key: null };

export const newCore = (sql: Sql, setting: Setting): Core => ({
  sql,
  setting,
  rehearsal: false,
  entries: new Map(),
  events: [],
  now: setting.now,
});

export const keyOf = (account: string, id: string): string => `${account}/${id}`;

export function entryOf({ core, account }: Seat, object: { id: string }): Entry {
  const entry = core.entries.get(keyOf(account, object.id));
  if (!entry) throw new Error(`${object.id} is not part of this work`);
  return entry;
}

/** Each object is held once: whoever asks for it again gets the one that may have been changed. */
export function hold(core: Core, row: Row): Entry {
  const key = keyOf(row.account, row.id);
  const held = core.entries.get(key);
  if (held) return held;
  const entry: Entry = {
    account: row.account,
    object: JSON.parse(row.text),
    hidden: JSON.parse(row.hidden),
    stored: row.text + row.hidden,
    told: row.text,
  };
  core.entries.set(key, entry);
  return entry;
}

export function add<T extends Kinds[Kind]>({ core, account }: Seat, object: T, hidden: Hidden, event?: EventType): T {
  const entry: Entry = { account, object, hidden, stored: '', told: null };
  core.entries.set(keyOf(account, object.id), entry);
  if (event) tell(core, entry, event);
  return object;
}

/** Tells what happened to an object, as it is now. */
export function tell(core: Core, entry: Entry, type: EventType): void {
  const text = JSON.stringify(entry.object);
  const { account, told: before } = entry;
  core.events.push(newEvent({ type, account, text, before, now: core.now, request: core.setting.request ?? NOBODY }));
  entry.told = text;
}

/** Tells of a change, where there is one. */
export function tellChange(core: Core, entry: Entry, text = JSON.stringify(entry.object)): void {
  const type = updatedType(entry.object);
  if (type && entry.told !== null && entry.told !== text) tell(core, entry, type);
}
