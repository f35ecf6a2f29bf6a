/**
 * The sandbox's tables, in a schema outside the product's migrations. Each text runs once per database, in order; add a
 * new one for each change. The first one also brings tables up to date that are older than this list.
 *
 * Objects are stored as the JSON that goes over the wire, with columns for what queries filter by. The index starts
 * with `kind`: while the tables are small, the planner would use an index that starts with `account` to read single
 * objects.
 */
export const MIGRATIONS = [
  `
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
`,
  `
  alter table sandbox_stripe.requests add column if not exists created bigint not null default extract(epoch from now());
`,
];
