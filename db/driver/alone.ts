/**
 * The driver sends a statement ahead on a connection that still waits for an answer, and asks for its types with a
 * Flush, not a Sync. PgBouncer gives the server connection back at the end of the first answer and drops the second
 * one, for which the driver then waits for ever (docs/decisions/0288). This option of a statement keeps its connection
 * from taking another one before the answer; `begin` has such an option of the driver itself.
 */
export const ALONE = { onexecute: () => false };

/** Also takes fragments of statements, which have no options. */
export function alone<T>(query: T): T {
  const { options } = query as { options?: object };
  if (options) Object.assign(options, ALONE);
  return query;
}
