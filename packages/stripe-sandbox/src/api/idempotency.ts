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
export type ApiResponse = { status: number; body: string; requestId: string; replayed?: boolean };

const fingerprint = ({ route, pathParams, params }: ApiCall) =>
  `${route.method} ${route.path} ${canonicalForm(pathParams)} ${canonicalForm(params)}`;

/** The stored response of an earlier call with the same idempotency key. */
export async function findReplay(sql: Sql, call: ApiCall): Promise<ApiResponse | null> {
  const [stored] = await sql<{ fingerprint: string; status: number; body: string; request_id: string }[]>`
    select fingerprint, status, body, request_id from sandbox_stripe.requests
    where account = ${call.account} and key = ${call.key}`;
  if (!stored) return null;
  if (stored.fingerprint !== fingerprint(call))
    throw new StripeFault(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${call.key}' if you meant to execute a different request.`,
    });
  return { status: stored.status, body: stored.body, requestId: stored.request_id, replayed: true };
}

export async function saveReplay(sql: Sql, call: ApiCall, { status, body }: Omit<ApiResponse, 'requestId'>) {
  await sql`
    insert into sandbox_stripe.requests (account, key, fingerprint, status, body, request_id)
    values (${call.account}, ${call.key}, ${fingerprint(call)}, ${status}, ${body}, ${call.requestId})`;
}
