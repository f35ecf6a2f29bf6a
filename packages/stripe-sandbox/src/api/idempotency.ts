import type { Sql } from '../engine/store';
import { StripeFault } from '../wire/faults';
import { canonicalForm, type RawGroup } from '../wire/form';
import type { Route } from './route';

export type ApiCall = {
  route: Route;
  pathParams: Record<string, string>;
  params: RawGroup;
  account: string;
  key: string | null;
  requestId: string;
};
export type ApiResponse = {
  status: number;
  body: string;
  requestId: string;
  replayed?: boolean;
  headers?: Record<string, string>;
};

/** Stripe may remove keys that are older; then the same key does the work again. */
const KEPT_SECONDS = 24 * 60 * 60;

const fingerprint = ({ route, pathParams, params }: ApiCall) =>
  `${route.method} ${route.path} ${canonicalForm(pathParams)} ${canonicalForm(params)}`;

/** Whether no other call with this key is running. The key is free again after the transaction. */
export async function claimKey(sql: Sql, { account, key }: ApiCall): Promise<boolean> {
  const [row] = await sql<{ free: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`sandbox_stripe ${account} ${key}`}, 0)) as free`;
  return row?.free ?? false;
}

/** The stored response of an earlier call with the same idempotency key. */
export async function findReplay(sql: Sql, call: ApiCall, now: number): Promise<ApiResponse | null> {
  const [stored] = await sql<{ fingerprint: string; status: number; body: string; request_id: string }[]>`
    select fingerprint, status, body, request_id from sandbox_stripe.requests
    where account = ${call.account} and key = ${call.key} and created > ${now - KEPT_SECONDS}`;
  if (!stored) return null;
  if (stored.fingerprint !== fingerprint(call))
    throw new StripeFault(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${call.key}' if you meant to execute a different request.`,
    });
  return { status: stored.status, body: stored.body, requestId: stored.request_id, replayed: true };
}

type Answer = { status: number; body: string; now: number };

/** Replaces the response of a key that has ended. */
export async function saveReplay(sql: Sql, call: ApiCall, { status, body, now }: Answer) {
  await sql`
    insert into sandbox_stripe.requests (account, key, fingerprint, status, body, request_id, created)
    values (${call.account}, ${call.key}, ${fingerprint(call)}, ${status}, ${body}, ${call.requestId}, ${now})
    on conflict (account, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      body = excluded.body, request_id = excluded.request_id, created = excluded.created`;
}
