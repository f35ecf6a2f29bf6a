import type { Context, Hono } from 'hono';
import { openWork, type Work } from '../engine/account-work';
import { type SandboxContext, workContextOf } from '../engine/context';
import { PLATFORM, type Sql, takeWriteLock } from '../engine/store';
import { StripeFault, unknownRoute, withUrlStatus } from '../wire/faults';
import { decodeForm, listOf } from '../wire/form';
import { newId } from '../wire/ids';
import { type Expansions, expand } from './expand';
import { type ApiCall, type ApiResponse, claimKey, findReplay, saveReplay } from './idempotency';
import { keyInUse, type Limiter, limitHeaders } from './limits';
import type { Route } from './route';

type Api = SandboxContext & { routes: Route[]; expansions: Expansions; limiter: Limiter };

/** Mounts the API's routes below `/v1`; any other path gets Stripe's error for an unknown URL. */
export function mountApi(app: Hono, api: Api): void {
  for (const route of api.routes)
    app.on(route.method, route.path, async (c) => toResponse(await handle(api, route, c)));
  app.all('/v1/*', (c) => {
    const fault = unknownRoute(c.req.method, c.req.path);
    return toResponse({ status: fault.status, body: errorJson(fault.body), requestId: newRequestId() });
  });
}

const NUL = /\0|%00/;

/**
 * Rejects NUL characters: Postgres cannot store them, and JSON operators fail on values that contain an escaped one.
 */
export function rejectNul(app: Hono): void {
  app.use('*', async (c, next) => {
    const hasNul = NUL.test(c.req.url) || (c.req.method === 'POST' && NUL.test(await c.req.text()));
    if (!hasNul) return next();
    const error = { type: 'invalid_request_error', message: 'Values may not contain the NUL character.' };
    return toResponse({ status: 400, body: errorJson(error), requestId: newRequestId() });
  });
}

const newRequestId = () => newId('req', 14);
const errorJson = (error: object) => JSON.stringify({ error });

function toResponse({ status, body, requestId, replayed, headers: own }: ApiResponse): Response {
  const headers = {
    ...own,
    'content-type': 'application/json',
    'request-id': requestId,
    'cache-control': 'no-store',
    ...(replayed && { 'idempotent-replayed': 'true' }),
  };
  return new Response(body, { status, headers });
}

async function handle(api: Api, route: Route, c: Context): Promise<ApiResponse> {
  const requestId = newRequestId();
  try {
    requireTestKey(c);
    api.limiter.admit();
    const body = route.method === 'POST' ? await c.req.text() : '';
    const query = new URL(c.req.url).search.slice(1);
    const call: ApiCall = {
      route,
      pathParams: c.req.param() as Record<string, string>,
      params: decodeForm([query, body].filter(Boolean).join('&')),
      account: c.req.header('stripe-account') || PLATFORM,
      key: c.req.header('idempotency-key') ?? null,
      requestId,
    };
    return route.method === 'GET' ? await read(api, call) : await commitCall(api, call);
  } catch (error) {
    return { ...errorResponse(api, error), requestId };
  }
}

/** Any test key is accepted; a missing or live key is not. */
function requireTestKey(c: Context): void {
  const key = keyOf(c.req.header('authorization') ?? '');
  if (/^(?:sk|rk)_test_/.test(key)) return;
  const message =
    key === '' ? 'You did not provide an API key.' : 'Invalid API Key provided: this sandbox accepts test keys only.';
  throw new StripeFault(401, { type: 'invalid_request_error', message });
}

/** The key is a bearer token, or the user name of HTTP Basic authentication ("Authentication"). */
function keyOf(header: string): string {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(.+)$/i.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'basic') return value;
  return Buffer.from(value, 'base64').toString('utf8').split(':')[0] ?? '';
}

function errorResponse({ log }: Api, error: unknown): Omit<ApiResponse, 'requestId'> {
  if (error instanceof StripeFault)
    return { status: error.status, body: errorJson(error.body), headers: limitHeaders(error.body) };
  log.error({ err: error }, 'Stripe sandbox request failed');
  return { status: 500, body: errorJson({ type: 'api_error', message: 'An unknown error occurred in the sandbox.' }) };
}

const expandPaths = ({ params }: ApiCall) =>
  (listOf(params.expand) ?? []).filter((path): path is string => typeof path === 'string');

async function read(api: Api, call: ApiCall): Promise<ApiResponse> {
  const work = openWork(api.client, call.account, workContextOf(api));
  await requireKnownAccount(work);
  return { ...(await runRoute(api, work, call)), requestId: call.requestId };
}

async function requireKnownAccount(work: Work): Promise<void> {
  if (work.account === PLATFORM) return;
  const platform = work.forAccount(PLATFORM);
  const known = await platform.get('account', work.account);
  if (!known || platform.hidden(known).isDisconnected)
    throw new StripeFault(403, {
      type: 'invalid_request_error',
      code: 'account_invalid',
      message: `The provided key does not have access to account '${work.account}' (or that account does not exist).`,
    });
}

/** Commits the changes, the events they cause and the response under its idempotency key in one transaction. */
async function commitCall(api: Api, call: ApiCall): Promise<ApiResponse> {
  const outcome = await api.client.begin(async (sql) => {
    if (api.limiter.limits.rejectsKeysInUse && call.key !== null && !(await claimKey(sql, call)))
      throw keyInUse(call.key);
    await takeWriteLock(sql);
    return { response: await runOnce(api, sql, call) };
  });
  const { response } = outcome;
  if (!response.replayed) api.onCommit();
  return response;
}

async function runOnce(api: Api, sql: Sql, call: ApiCall): Promise<ApiResponse> {
  const context = workContextOf(api);
  const replay = call.key === null ? null : await findReplay(sql, call, context.now);
  if (replay) return replay;
  api.limiter.lock(call);
  const work = openWork(sql, call.account, { ...context, request: { id: call.requestId, key: call.key } });
  await requireKnownAccount(work);
  const result = await runAndKeepFault(api, work, call);
  if (result.keepsChanges) await work.flush();
  if (call.key !== null) await saveReplay(sql, call, { ...result, now: context.now });
  return { ...result, requestId: call.requestId };
}

async function runRoute({ expansions }: Api, work: Work, call: ApiCall): Promise<{ status: number; body: string }> {
  const result = await call.route.run(work, call.params, call.pathParams).catch((error: unknown) => {
    throw error instanceof StripeFault ? withUrlStatus(error, Object.values(call.pathParams)) : error;
  });
  return { status: 200, body: JSON.stringify(await expand(work, result, { paths: expandPaths(call), expansions })) };
}

type Result = { status: number; body: string; keepsChanges: boolean };

/**
 * A fault that keeps its changes (a declined card) is a normal response; any other fault rolls back, and with
 * `repeatsFailures`, its key repeats it.
 */
async function runAndKeepFault(api: Api, work: Work, call: ApiCall): Promise<Result> {
  try {
    return { ...(await runRoute(api, work, call)), keepsChanges: true };
  } catch (error) {
    const isKept = error instanceof StripeFault && (error.keepsChanges || isRepeated(api, error));
    if (!isKept) throw error;
    return { status: error.status, body: errorJson(error.body), keepsChanges: error.keepsChanges };
  }
}

/** Stripe stores no answer to a parameter that it rejects before the work begins. */
const isRepeated = ({ limiter }: Api, { body }: StripeFault) =>
  limiter.limits.repeatsFailures && !body.param && !body.code?.startsWith('parameter_');
