import type postgres from 'postgres';
import { MIGRATIONS } from './tables';

/** The platform's account id. */
export const PLATFORM = 'acct_sandboxplatform';

export type Client = postgres.Sql;
export type Sql = postgres.Sql | postgres.TransactionSql;

const VERSION = 'version';

/**
 * Creates and changes tables once per database. Statements that change a table wait for all of its readers and writers,
 * so a start that finds the newest version sends none: a running process and a starting one would wait for each other.
 */
export async function prepareStore(client: Client): Promise<void> {
  if ((await versionOf(client)) >= MIGRATIONS.length) return;
  await client.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtext('sandbox_stripe'))`;
    // another process may have changed them meanwhile
    for (const migration of MIGRATIONS.slice(await versionOf(sql))) await sql.unsafe(migration);
    await sql`
      insert into sandbox_stripe.settings (name, value) values (${VERSION}, to_json(${MIGRATIONS.length}::int))
      on conflict (name) do update set value = excluded.value`;
  });
}

async function versionOf(sql: Sql): Promise<number> {
  const [found] = await sql`select to_regclass('sandbox_stripe.settings') is not null as exists`;
  if (!found?.exists) return 0;
  const [row] = await sql<{ version: number }[]>`
    select (value#>>'{}')::int as version from sandbox_stripe.settings where name = ${VERSION}`;
  return row?.version ?? 0;
}

/**
 * A transaction that excludes all other writers, in every process. Stripe locks single objects; one lock is enough
 * here.
 */
export async function withWriteLock<T>(client: Client, run: (sql: Sql) => Promise<T>): Promise<T> {
  const outcome = await client.begin(async (sql) => {
    await takeWriteLock(sql);
    return { result: await run(sql) };
  });
  return outcome.result as T;
}

/** Until the end of the transaction. */
export async function takeWriteLock(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('sandbox_stripe.write'))`;
}

export type ObjectRow = { account: string; id: string; kind: string; text: string; hidden: string };

export function objectColumns(sql: Sql) {
  return sql`account, id, kind, data::text as text, hidden::text as hidden`;
}

export type NewRow = {
  account: string;
  id: string;
  kind: string;
  created: number;
  due: number | null;
  clock: string | null;
  customer: string | null;
  parent: string | null;
  data: string;
  hidden: string;
};

/** Saves rows in batches. Existing rows are replaced and keep their position in lists. */
export async function saveRows(sql: Sql, rows: NewRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 2000) {
    const part = rows.slice(from, from + 2000);
    const column = <T>(pick: (row: NewRow) => T) => part.map(pick);
    await sql`
      insert into sandbox_stripe.objects (account, id, kind, created, due, clock, customer, parent, data, hidden)
      select account, id, kind, created, due, clock, customer, parent, data::json, hidden::json
      from unnest(${column((r) => r.account)}::text[], ${column((r) => r.id)}::text[], ${column((r) => r.kind)}::text[],
        ${column((r) => r.created)}::bigint[], ${column((r) => r.due) as number[]}::bigint[],
        ${column((r) => r.clock) as string[]}::text[], ${column((r) => r.customer) as string[]}::text[],
        ${column((r) => r.parent) as string[]}::text[], ${column((r) => r.data)}::text[], ${column((r) => r.hidden)}::text[])
        with ordinality as t(account, id, kind, created, due, clock, customer, parent, data, hidden, place)
      order by place
      on conflict (id, account) do update set data = excluded.data, hidden = excluded.hidden, due = excluded.due,
        failures = 0, clock = excluded.clock, customer = excluded.customer, parent = excluded.parent`;
  }
}

export async function deleteRows(sql: Sql, account: string, ids: string[]): Promise<void> {
  if (ids.length > 0)
    await sql`delete from sandbox_stripe.objects where account = ${account} and id = any(${ids}::text[])`;
}

/** Deletes everything that belongs to a test clock. */
export async function deleteClockObjects(sql: Sql, clock: string): Promise<void> {
  await sql`delete from sandbox_stripe.objects where clock = ${clock}`;
}

/** Queues each event for every endpoint that is subscribed to its type. */
export async function queueDeliveries(
  sql: Sql,
  events: { id: string; type: string; account: string }[],
): Promise<void> {
  if (events.length === 0) return;
  await sql`
    insert into sandbox_stripe.deliveries (account, event, endpoint)
    select e.account, e.id, w.id
    from unnest(${events.map((e) => e.id)}::text[], ${events.map((e) => e.type)}::text[], ${events.map((e) => e.account)}::text[])
      with ordinality as e(id, type, account, place)
    join sandbox_stripe.objects w on w.kind = 'webhook_endpoint' and w.account = ${PLATFORM}
      and w.data->>'status' = 'enabled'
      and (w.data->'enabled_events')::jsonb ?| array['*', e.type]
      and (coalesce(w.hidden->>'connect', 'false') = 'both'
        or (coalesce(w.hidden->>'connect', 'false') = 'true') = (e.account <> ${PLATFORM}))
    order by e.place`;
}
