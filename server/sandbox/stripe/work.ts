import type postgres from 'postgres';
import { dueOf } from './due';
import { type Happened, newEvent, updatedType } from './happenings';
import { type Hidden, idOf, type Kind, type Kinds, type Ref } from './kinds';
import { columns, dropRows, queueDeliveries, type Row, type Saved, type Sql, saveRows } from './store';
import { missingResource } from './wire/faults';

type Entry = { account: string; object: Kinds[Kind]; hidden: Hidden; stored: string; told: string | null };
type Core = {
  sql: Sql;
  /** Where the hosted pages stand. */
  pages: string;
  dunning: Dunning;
  /** Nothing is written. */
  rehearsal: boolean;
  entries: Map<string, Entry>;
  events: Happened[];
  time: { now: number };
  request: { id: string | null; key: string | null };
};

/** When a failed renewal is tried again (days after the first attempt), and what becomes of a subscription in the end. */
export type Dunning = { days: number[]; finally: 'cancel' | 'unpaid' | 'past_due' };
export const DUNNING: Dunning = { days: [1, 3, 5, 7], finally: 'cancel' };

export type Setting = { now: number; pages: string; dunning?: Dunning; request?: Core['request'] };
export type Criteria = {
  customer?: string | null;
  parent?: string | null;
  fields?: Record<string, string>;
  without?: Record<string, string>;
};
export type Paging = { limit: number; after?: string; before?: string; createdFrom?: number; createdTo?: number };

/**
 * One unit of work: what was read is held once and may be changed in place; `flush` writes what changed, with the
 * events that tell of it. `updated` events are made from the difference, so that no change goes untold.
 */
export type Work = ReturnType<typeof plainWork> & {
  /** The same work, seen from another account. */
  on(account: string): Work;
  /** The same moment, where nothing that is done leaves a trace: for previews. */
  rehearsal(): Work;
};

export function openWork(sql: Sql, account: string, { now, pages, dunning = DUNNING, request }: Setting): Work {
  const asked = request ?? { id: null, key: null };
  const core: Core = {
    sql,
    pages,
    dunning,
    rehearsal: false,
    entries: new Map(),
    events: [],
    time: { now },
    request: asked,
  };
  return workOn(core, account);
}

const publicText = (object: unknown) => JSON.stringify(object);

function workOn(core: Core, account: string): Work {
  return {
    ...plainWork(core, account),
    on: (other) => workOn(core, other),
    rehearsal: () =>
      workOn({ ...core, rehearsal: true, entries: new Map(), events: [], time: { ...core.time } }, account),
  };
}

function tell(core: Core, entry: Entry, type: string): void {
  const text = publicText(entry.object);
  const { account, told: before } = entry;
  core.events.push(newEvent({ type, account, text, before, now: core.time.now, request: core.request }));
  entry.told = text;
}

/** Tells of a change, where there is one. */
function tellChange(core: Core, entry: Entry): void {
  const type = updatedType(entry.object);
  if (type && entry.told !== null && entry.told !== publicText(entry.object)) tell(core, entry, type);
}

function plainWork(core: Core, account: string) {
  const { sql, entries } = core;
  const keyOf = (id: string) => `${account}/${id}`;
  const entryOf = (object: { id: string }) => {
    const entry = entries.get(keyOf(object.id));
    if (!entry) throw new Error(`${object.id} is not part of this work`);
    return entry;
  };
  const hold = (row: Row): Entry => {
    const key = `${row.account}/${row.id}`;
    const held = entries.get(key);
    if (held) return held;
    const entry: Entry = {
      account: row.account,
      object: JSON.parse(row.text),
      hidden: JSON.parse(row.hidden),
      stored: row.text + row.hidden,
      told: row.text,
    };
    entries.set(key, entry);
    return entry;
  };

  async function get<K extends Kind>(kind: K, ref: Ref): Promise<Kinds[K] | null> {
    const id = idOf(ref);
    const held = entries.get(keyOf(id));
    if (held) return held.object.object === kind ? (held.object as Kinds[K]) : null;
    const [row] = await sql<Row[]>`
      select ${columns(sql)} from sandbox_stripe.objects where id = ${id} and account = ${account}`;
    return row && row.kind === kind ? (hold(row).object as Kinds[K]) : null;
  }

  async function find<K extends Kind>(kind: K, ref: Ref, param = 'id'): Promise<Kinds[K]> {
    const found = await get(kind, ref);
    if (!found) throw missingResource(kind.replace('test_helpers.', ''), idOf(ref), param);
    return found;
  }

  function add<T extends Kinds[Kind]>(object: T, hidden: Hidden = {}, event?: string): T {
    entries.set(keyOf(object.id), { account, object, hidden, stored: '', told: null });
    if (event) emit(event, object);
    return object;
  }

  /** Tells what happened to an object, as it is now. */
  function emit(type: string, object: Kinds[Kind]): void {
    tell(core, entryOf(object), type);
  }

  async function list<K extends Kind>(kind: K, criteria: Criteria, paging: Paging): Promise<Kinds[K][]> {
    await flush();
    const { limit, after, before, createdFrom, createdTo } = paging;
    const place = async (id: string, param: string) => {
      const [row] = await sql<{ number: string }[]>`
        select number from sandbox_stripe.objects where id = ${id} and account = ${account}`;
      if (!row) throw missingResource(kind, id, param);
      return row.number;
    };
    const conditions = [sql`account = ${account} and kind = ${kind}`];
    if (criteria.customer) conditions.push(sql`customer = ${criteria.customer}`);
    if (criteria.parent) conditions.push(sql`parent = ${criteria.parent}`);
    for (const [path, value] of Object.entries(criteria.fields ?? {}))
      conditions.push(sql`data #>> ${path.split('.')}::text[] = ${value}`);
    for (const [name, value] of Object.entries(criteria.without ?? {}))
      conditions.push(sql`data->>${name} <> ${value}`);
    if (after) conditions.push(sql`number < ${await place(after, 'starting_after')}`);
    if (before) conditions.push(sql`number > ${await place(before, 'ending_before')}`);
    if (createdFrom !== undefined) conditions.push(sql`created >= ${createdFrom}`);
    if (createdTo !== undefined) conditions.push(sql`created <= ${createdTo}`);
    const where = conditions.reduce((all, next) => sql`${all} and ${next}`);
    const order = before ? sql`number asc` : sql`number desc`;
    const rows = await sql<Row[]>`
      select ${columns(sql)} from sandbox_stripe.objects where ${where} order by ${order} limit ${limit}`;
    const found = rows.map((row) => hold(row).object as Kinds[K]);
    return before ? found.reverse() : found;
  }

  /** Reads many at once, so that what follows finds them held. */
  async function load(ids: string[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !entries.has(keyOf(id)));
    if (missing.length === 0) return;
    const rows = await sql<Row[]>`
      select ${columns(sql)} from sandbox_stripe.objects where account = ${account} and id = any(${missing}::text[])`;
    rows.forEach(hold);
  }

  async function remove(object: { id: string }): Promise<void> {
    await flush();
    entries.delete(keyOf(object.id));
    await dropRows(sql, account, [object.id]);
  }

  /** The account's movements added up, per currency. */
  const sums = () => sql<{ currency: string; available: string; pending: string }[]>`
    select data->>'currency' as currency,
      coalesce(sum((data->>'net')::bigint) filter (where (data->>'available_on')::bigint <= ${core.time.now}), 0)::text as available,
      coalesce(sum((data->>'net')::bigint) filter (where (data->>'available_on')::bigint > ${core.time.now}), 0)::text as pending
    from sandbox_stripe.objects where account = ${account} and kind = 'balance_transaction' group by 1 order by 1`;

  async function flush(): Promise<void> {
    if (core.rehearsal) return;
    const rows: Saved[] = [];
    for (const entry of entries.values()) {
      const text = publicText(entry.object);
      const hidden = JSON.stringify(entry.hidden);
      if (entry.stored === text + hidden) continue;
      tellChange(core, entry);
      rows.push(savedRow(entry, text, hidden));
      entry.stored = text + hidden;
    }
    const events = core.events.splice(0);
    await saveRows(sql, [...rows, ...events.map(({ row }) => row)]);
    await queueDeliveries(
      sql,
      events.map(({ row, type }) => ({ id: row.id, type, account: row.account })),
    );
  }

  return {
    account,
    get,
    find,
    add,
    emit,
    changed: (object: Kinds[Kind]): void => tellChange(core, entryOf(object)),
    list,
    load,
    remove,
    flush,
    hold,
    sums,
    sql,
    /** What lived on a test clock goes with it. */
    forgetClock: async (clock: string): Promise<void> => {
      await sql`delete from sandbox_stripe.objects where clock = ${clock}`;
    },
    pages: core.pages,
    dunning: core.dunning,
    rehearses: core.rehearsal,
    request: core.request,
    now: () => core.time.now,
    /** From here on, this work happens at that moment. */
    at(seconds: number): void {
      core.time.now = seconds;
    },
    hidden: (object: { id: string }): Hidden => entryOf(object).hidden,
  };
}

function savedRow({ account, object, hidden }: Entry, text: string, hiddenText: string): Saved {
  const it = object as unknown as Record<string, unknown>;
  const ref = (name: string) => idOf((it[name] ?? null) as Ref | null);
  const clock = typeof it.test_clock === 'string' ? it.test_clock : null;
  const parents = [
    hidden.invoice ?? null,
    ref('invoice'),
    subscriptionOf(it),
    ref('payment_intent'),
    ref('charge'),
    ref('source'),
  ];
  return {
    account,
    id: object.id,
    kind: object.object,
    created: typeof it.created === 'number' ? it.created : 0,
    due: dueOf(object, hidden),
    clock: hidden.clock ?? clock,
    customer: ref('customer'),
    parent: parents.find((parent) => parent !== null) ?? null,
    data: text,
    hidden: hiddenText,
  };
}

function subscriptionOf(it: Record<string, unknown>): string | null {
  if (it.object !== 'invoice') return null;
  const parent = it.parent as { subscription_details: { subscription: string } | null } | null;
  return parent?.subscription_details?.subscription ?? null;
}

export type Client = postgres.Sql;
