import type postgres from 'postgres';

/**
 * A connection for the test alone. Without reading types, the driver never gives away a connection that it opened for it,
 * so one is opened first.
 */
export async function reservedConnection(client: postgres.Sql): Promise<postgres.ReservedSql> {
  await client`select 1`;
  return client.reserve();
}
