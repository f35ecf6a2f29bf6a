import type postgres from 'postgres';

export type ZoneRecord = { host: string; type: 'TXT' | 'CNAME'; value: string };
export type Zone = Awaited<ReturnType<typeof openZone>>;

const MAX_LISTED = 500;

/** Its table is in a schema of its own, outside the product's migrations, so that production never has it. */
export async function openZone(client: postgres.Sql) {
  await client.unsafe(`
    select pg_advisory_xact_lock(hashtext('sandbox.dns_records'));
    create schema if not exists sandbox;
    create table if not exists sandbox.dns_records (
      id bigint generated always as identity primary key,
      host text not null,
      type text not null,
      value text not null
    );
    create index if not exists dns_records_host on sandbox.dns_records (host);
  `);
  return {
    async add({ host, type, value }: ZoneRecord): Promise<void> {
      await client`
        insert into sandbox.dns_records (host, type, value) values (${host.toLowerCase()}, ${type}, ${value})`;
    },
    /** Deletes all records of a host. */
    async remove(host: string): Promise<void> {
      await client`delete from sandbox.dns_records where host = ${host.toLowerCase()}`;
    },
    of: (host: string): Promise<ZoneRecord[]> =>
      client<ZoneRecord[]>`
        select host, type, value from sandbox.dns_records where host = ${host.toLowerCase()} order by id limit 100`,
    list: (): Promise<ZoneRecord[]> =>
      client<ZoneRecord[]>`
        select host, type, value from sandbox.dns_records order by host, id limit ${MAX_LISTED}`,
  };
}
