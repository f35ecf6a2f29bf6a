import type postgres from 'postgres';

/** Whether a connection serves requests or jobs: the name that it gives Postgres, which poolers pass on. */
export type Purpose = 'altavoz-web' | 'altavoz-jobs';

/** Limits in seconds. `idle`: for a transaction that sends nothing and keeps its locks. */
export type TimeLimits = Record<Purpose, { statement: number; idle: number }>;

export const TIME_LIMITS: TimeLimits = {
  'altavoz-web': { statement: 15, idle: 60 },
  'altavoz-jobs': { statement: 600, idle: 600 },
};

/**
 * Ends statements and transactions of every process that exceed their limit, including those of a process that was
 * killed or disconnected. Postgres' own `statement_timeout` belongs to a session, and a pooler in transaction mode
 * rejects it at the start of a connection, or passes it on to other clients.
 *
 * A signal ends whatever the session is doing when it arrives. So only one process at a time checks and ends
 * statements: a second signal for the same statement would hit the next one.
 */
export async function endOverdue(client: postgres.Sql, limits: TimeLimits): Promise<void> {
  await client`
    select case when state = 'active' then pg_cancel_backend(pid) else pg_terminate_backend(pid) end
    from pg_stat_activity
    join json_each(${JSON.stringify(limits)}::text::json) as limits (purpose, seconds) on purpose = application_name
    where (select pg_try_advisory_xact_lock(hashtext('end_overdue')))
      and datname = current_database() and usename = current_user and backend_type = 'client backend'
      and (state = 'active' and query_start < now() - make_interval(secs => (seconds->>'statement')::float8)
        or state like 'idle in transaction%'
          and state_change < now() - make_interval(secs => (seconds->>'idle')::float8))`;
}
