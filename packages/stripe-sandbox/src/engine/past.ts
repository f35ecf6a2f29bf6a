import { type Client, type Sql, withWriteLock } from './store';

const SETTING = 'past';
/** Longer than creating one object takes; after that, the process has been killed. */
const LEASE_SECONDS = 60;

/**
 * Keeps other processes from processing due objects while this one creates data in the past: to them, a payment page of
 * last month has expired before it can be paid.
 */
export async function holdDueWork(client: Client, holder: string): Promise<void> {
  await withWriteLock(
    client,
    (sql) => sql`
      insert into sandbox_stripe.settings (name, value)
      values (${SETTING}, json_build_object('holder', ${holder}::text, 'until',
        extract(epoch from clock_timestamp()) + ${LEASE_SECONDS}::float8))
      on conflict (name) do update set value = excluded.value`,
  );
}

export async function releaseDueWork(client: Client, holder: string): Promise<void> {
  await client`delete from sandbox_stripe.settings where name = ${SETTING} and value->>'holder' = ${holder}`;
}

/** The condition that no other process holds the due work. */
export const isFreeFor = (sql: Sql, holder: string) => sql`
  not exists (select from sandbox_stripe.settings where name = ${SETTING} and value->>'holder' <> ${holder}
    and (value->>'until')::float8 > extract(epoch from clock_timestamp()))`;
