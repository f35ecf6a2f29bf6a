import { missingResource } from '../wire/faults';
import { idOf, type Kind, type Kinds, type Ref } from '../wire/objects';
import { flush } from './persistence';
import { columns, type Row, type Sql } from './store';
import { hold, keyOf, type Seat } from './unit-of-work';

export type Criteria = {
  customer?: string | null;
  parent?: string | null;
  fields?: Record<string, string>;
  without?: Record<string, string>;
};
export type Paging = { limit: number; after?: string; before?: string; createdFrom?: number; createdTo?: number };

export async function get<K extends Kind>({ core, account }: Seat, kind: K, ref: Ref): Promise<Kinds[K] | null> {
  const id = idOf(ref);
  const held = core.entries.get(keyOf(account, id));
  if (held) return held.object.object === kind ? (held.object as Kinds[K]) : null;
  const { sql } = core;
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from sandbox_stripe.objects where id = ${id} and account = ${account}`;
  return row && row.kind === kind ? (hold(core, row).object as Kinds[K]) : null;
}

export async function find<K extends Kind>(seat: Seat, kind: K, ref: Ref, param = 'id'): Promise<Kinds[K]> {
  const found = await get(seat, kind, ref);
  if (!found) throw missingResource(kind.replace('test_helpers.', ''), idOf(ref), param);
  return found;
}

/** Newest first. What this work has changed is written before, so that it is found as it is now. */
export async function list<K extends Kind>(
  seat: Seat,
  kind: K,
  criteria: Criteria,
  paging: Paging,
): Promise<Kinds[K][]> {
  await flush(seat.core);
  const { sql } = seat.core;
  const conditions = [
    sql`kind = ${kind} and account = ${seat.account}`,
    ...matching(sql, criteria),
    ...(await within(seat, kind, paging)),
  ];
  const where = conditions.reduce((all, next) => sql`${all} and ${next}`);
  const order = paging.before ? sql`number asc` : sql`number desc`;
  const rows = await sql<Row[]>`
    select ${columns(sql)} from sandbox_stripe.objects where ${where} order by ${order} limit ${paging.limit}`;
  const found = rows.map((row) => hold(seat.core, row).object as Kinds[K]);
  return paging.before ? found.reverse() : found;
}

function matching(sql: Sql, { customer, parent, fields = {}, without = {} }: Criteria) {
  return [
    ...(customer ? [sql`customer = ${customer}`] : []),
    ...(parent ? [sql`parent = ${parent}`] : []),
    ...Object.entries(fields).map(([path, value]) => sql`data #>> ${path.split('.')}::text[] = ${value}`),
    ...Object.entries(without).map(([name, value]) => sql`data->>${name} <> ${value}`),
  ];
}

async function within(seat: Seat, kind: Kind, { after, before, createdFrom, createdTo }: Paging) {
  const { sql } = seat.core;
  return [
    ...(after ? [sql`number < ${await placeOf(seat, kind, after, 'starting_after')}`] : []),
    ...(before ? [sql`number > ${await placeOf(seat, kind, before, 'ending_before')}`] : []),
    ...(createdFrom === undefined ? [] : [sql`created >= ${createdFrom}`]),
    ...(createdTo === undefined ? [] : [sql`created <= ${createdTo}`]),
  ];
}

async function placeOf({ core, account }: Seat, kind: Kind, id: string, param: string): Promise<string> {
  const [row] = await core.sql<{ number: string }[]>`
    select number from sandbox_stripe.objects where id = ${id} and account = ${account}`;
  if (!row) throw missingResource(kind, id, param);
  return row.number;
}

/** Reads many at once, so that what follows finds them held. */
export async function load({ core, account }: Seat, ids: string[]): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !core.entries.has(keyOf(account, id)));
  if (missing.length === 0) return;
  const { sql } = core;
  const rows = await sql<Row[]>`
    select ${columns(sql)} from sandbox_stripe.objects where id = any(${missing}::text[]) and account = ${account}`;
  for (const row of rows) hold(core, row);
}

export type Sums = { currency: string; available: string; pending: string };

/** The account's movements added up, per currency. */
export async function sums({ core, account }: Seat): Promise<Sums[]> {
  await flush(core);
  return core.sql<Sums[]>`
    select data->>'currency' as currency,
      coalesce(sum((data->>'net')::bigint) filter (where (data->>'available_on')::bigint <= ${core.now}), 0)::text as available,
      coalesce(sum((data->>'net')::bigint) filter (where (data->>'available_on')::bigint > ${core.now}), 0)::text as pending
    from sandbox_stripe.objects where kind = 'balance_transaction' and account = ${account} group by 1 order by 1`;
}
