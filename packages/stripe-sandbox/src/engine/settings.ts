import type { Sql } from './store';

/** Settings shared by all processes: webhook faults and dunning. */
export async function readSetting<T extends object>(sql: Sql, name: string, fallback: T): Promise<T> {
  const [row] = await sql<{ value: Partial<T> }[]>`select value from sandbox_stripe.settings where name = ${name}`;
  return { ...fallback, ...row?.value };
}

export async function writeSetting(sql: Sql, name: string, value: object): Promise<void> {
  await sql`
    insert into sandbox_stripe.settings (name, value) values (${name}, ${JSON.stringify(value)}::text::json)
    on conflict (name) do update set value = excluded.value`;
}
