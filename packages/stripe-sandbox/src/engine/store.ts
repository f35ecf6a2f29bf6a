import type postgres from 'postgres';

/** The platform's account id. */
export const PLATFORM = 'acct_sandboxplatform';

export type Client = postgres.Sql;
export type Sql = postgres.Sql | postgres.TransactionSql;

/**
 * The sandbox's tables, in a schema outside the product's migrations. Objects are stored as the JSON that goes over the
 * wire, with columns for what queries filter by. The index starts with `kind`: while the tables are small, the planner
 * would use an index that starts with `account` to read single objects.
 */
const TABLES = `
  select pg_advisory_xact_lock(hashtext('sandbox_stripe'));
  create schema if not exists sandbox_stripe;
  create table if not exists sandbox_stripe.objects (
    account text not null,
    id text not null,
    kind text not null,
    number bigint generated always as identity,
    created bigint not null,
    due bigint,
    failures integer not null default 0,
    clock text,
    customer text,
    parent text,
    data json not null,
    hidden json not null,
    primary key (id, account)
  );
  alter table sandbox_stripe.objects add column if not exists failures integer not null default 0;
  drop index if exists sandbox_stripe.objects_listed, sandbox_stripe.objects_due, sandbox_stripe.objects_clock;
  create index if not exists objects_of_kind on sandbox_stripe.objects (kind, account, number desc);
  create index if not exists objects_of_customer on sandbox_stripe.objects (customer, kind, number desc) where customer is not null;
  create index if not exists objects_of_parent on sandbox_stripe.objects (parent, kind, number desc) where parent is not null;
  create index if not exists objects_due_by_themselves on sandbox_stripe.objects (due) where clock is null and due is not null;
  create index if not exists objects_on_clocks on sandbox_stripe.objects (clock, due) where clock is not null;
  create table if not exists sandbox_stripe.requests (
    account text not null,
    key text not null,
    fingerprint text not null,
    status integer not null,
    body text not null,
    request_id text not null,
    primary key (account, key)
  );
  create table if not exists sandbox_stripe.deliveries (
    number bigint generated always as identity primary key,
    account text not null,
    event text not null,
    endpoint text not null,
    due timestamptz not null default now(),
    attempts integer not null default 0,
    status text not null default 'pending'
  );
  create index if not exists deliveries_due on sandbox_stripe.deliveries (due, number) where status = 'pending';
  create table if not exists sandbox_stripe.settings (name text primary key, value json not null);
`;

/** Creates missing tables. Processes that start at the same time wait for each other. */
export async function prepareStore(client: Client): Promise<void> {
  await client.unsafe(TABLES);
}

/**
 * A transaction that excludes all other writers, in every process. Stripe locks single objects; one lock is enough
 * here.
 */
export async function withWriteLock<T>(client: Client, run: (sql: Sql) => Promise<T>): Promise<T> {
  const outcome = await client.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtext('sandbox_stripe.write'))`;
    return { result: await run(sql) };
  });
  return outcome.result as T;
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
