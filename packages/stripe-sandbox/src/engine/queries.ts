import { missingResource } from '../wire/faults';
import { idOf, type Kind, type Kinds, type Ref } from '../wire/objects';
import { flushUnit } from './persistence';
import { type ObjectRow, objectColumns, type Sql } from './store';
import { type AccountScope, track, trackingKey } from './unit-of-work';

export type Criteria = {
  customer?: string | null;
  parent?: string | null;
  fields?: Record<string, string>;
  without?: Record<string, string>;
  /** Balance transactions: in this automatic payout, or in none. */
  payout?: string;
  unpaid?: boolean;
};
export type Paging = { limit: number; after?: string; before?: string; createdFrom?: number; createdTo?: number };

export async function get<K extends Kind>(
  { unit, account }: AccountScope,
  kind: K,
  ref: Ref,
): Promise<Kinds[K] | null> {
  const id = idOf(ref);
  const existing = unit.tracked.get(trackingKey(account, id));
  if (existing) return existing.object.object === kind ? (existing.object as Kinds[K]) : null;
  const { sql } = unit;
  const [row] = await sql<ObjectRow[]>`
    select ${objectColumns(sql)} from sandbox_stripe.objects where id = ${id} and account = ${account}`;
  return row && row.kind === kind ? (track(unit, row).object as Kinds[K]) : null;
}

export async function find<K extends Kind>(scope: AccountScope, kind: K, ref: Ref, param = 'id'): Promise<Kinds[K]> {
  const found = await get(scope, kind, ref);
  if (!found) throw missingResource(kind.replace('test_helpers.', ''), idOf(ref), param);
  return found;
}

/** Newest first. Flushes first, so that the query sees pending changes. */
export async function listObjects<K extends Kind>(
  scope: AccountScope,
  kind: K,
  criteria: Criteria,
  paging: Paging,
): Promise<Kinds[K][]> {
  await flushUnit(scope.unit);
  const { sql } = scope.unit;
  const conditions = [
    sql`kind = ${kind} and account = ${scope.account}`,
    ...criteriaConditions(sql, criteria),
    ...(await pagingConditions(scope, kind, paging)),
  ];
  const where = conditions.reduce((all, next) => sql`${all} and ${next}`);
  const order = paging.before ? sql`number asc` : sql`number desc`;
  const rows = await sql<ObjectRow[]>`
    select ${objectColumns(sql)} from sandbox_stripe.objects where ${where} order by ${order} limit ${paging.limit}`;
  const found = rows.map((row) => track(scope.unit, row).object as Kinds[K]);
  return paging.before ? found.reverse() : found;
}

function criteriaConditions(sql: Sql, { customer, parent, fields = {}, without = {}, payout, unpaid }: Criteria) {
  return [
    ...(customer ? [sql`customer = ${customer}`] : []),
    ...(parent ? [sql`parent = ${parent}`] : []),
    ...(payout ? [sql`hidden->>'payout' = ${payout}`] : []),
    ...(unpaid ? [sql`hidden->>'payout' is null`] : []),
    ...Object.entries(fields).map(([path, value]) => sql`data #>> ${path.split('.')}::text[] = ${value}`),
    ...Object.entries(without).map(([name, value]) => sql`data->>${name} <> ${value}`),
  ];
}

async function pagingConditions(scope: AccountScope, kind: Kind, { after, before, createdFrom, createdTo }: Paging) {
  const { sql } = scope.unit;
  return [
    ...(after ? [sql`number < ${await positionOf(scope, kind, after, 'starting_after')}`] : []),
    ...(before ? [sql`number > ${await positionOf(scope, kind, before, 'ending_before')}`] : []),
    ...(createdFrom === undefined ? [] : [sql`created >= ${createdFrom}`]),
    ...(createdTo === undefined ? [] : [sql`created <= ${createdTo}`]),
  ];
}

async function positionOf({ unit, account }: AccountScope, kind: Kind, id: string, param: string): Promise<string> {
  const [row] = await unit.sql<{ number: string }[]>`
    select number from sandbox_stripe.objects where id = ${id} and account = ${account}`;
  if (!row) throw missingResource(kind, id, param);
  return row.number;
}

/** Reads many objects with one query; later calls of `get` find them in memory. */
export async function preload({ unit, account }: AccountScope, ids: string[]): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !unit.tracked.has(trackingKey(account, id)));
  if (missing.length === 0) return;
  const { sql } = unit;
  const rows = await sql<ObjectRow[]>`
    select ${objectColumns(sql)} from sandbox_stripe.objects where id = any(${missing}::text[]) and account = ${account}`;
  for (const row of rows) track(unit, row);
}

export type BalanceSums = { currency: string; available: string; pending: string };

/** Sums the account's balance transactions per currency. */
export async function balanceSums({ unit, account }: AccountScope): Promise<BalanceSums[]> {
  await flushUnit(unit);
  return unit.sql<BalanceSums[]>`
    select data->>'currency' as currency,
      coalesce(sum((data->>'net')::bigint) filter (where (data->>'available_on')::bigint <= ${unit.now}), 0)::text as available,
      coalesce(sum((data->>'net')::bigint) filter (where (data->>'available_on')::bigint > ${unit.now}), 0)::text as pending
    from sandbox_stripe.objects where kind = 'balance_transaction' and account = ${account} group by 1 order by 1`;
}
