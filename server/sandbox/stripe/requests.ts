import type { Context, Hono } from 'hono';
import type { Log } from '../../log';
import type { Setting } from './entries';
import { expanded } from './rendering';
import { RESOURCES } from './resources';
import type { Route } from './routes';
import { type Client, exclusively, PLATFORM, type Sql } from './store';
import { StripeFault, unknownRoute } from './wire/faults';
import { canonical, decodeForm, listOf, type RawGroup } from './wire/form';
import { newId } from './wire/ids';
import { openWork, type Work } from './work';

export type Ground = {
  client: Client;
  log: Log;
  /** The sandbox's clock, in seconds. */
  now(): number;
  /** Where its pages stand, without a slash at the end. */
  baseUrl: string;
  /** Called after what was written is written. */
  written(): void;
};

export const settingOf = ({ now, baseUrl, log }: Ground): Setting => ({ now: now(), pages: baseUrl, log });

type Answer = { status: number; body: string; requestId: string; replayed?: boolean };
type Call = {
  route: Route;
  names: Record<string, string>;
  params: RawGroup;
  account: string;
  key: string | null;
  requestId: string;
};

/** Mounts every address of the API below `/v1`; all others answer Stripe's own shape of 'no such address'. */
export function mountApi(app: Hono, ground: Ground): void {
  for (const route of RESOURCES) app.on(route.method, route.path, async (c) => sent(await answered(ground, route, c)));
  app.all('/v1/*', (c) => {
    const fault = unknownRoute(c.req.method, c.req.path);
    return sent({ status: fault.status, body: JSON.stringify({ error: fault.body }), requestId: newId('req', 14) });
  });
}

const NUL = /\0|%00/;

/** Postgres can't keep the character NUL, and stumbles over JSON that has it whenever it looks into it. */
export function refuseUnstorable(app: Hono): void {
  app.use('*', async (c, next) => {
    const refused = NUL.test(c.req.url) || (c.req.method === 'POST' && NUL.test(await c.req.text()));
    if (!refused) return next();
    const error = { type: 'invalid_request_error', message: 'The character NUL is in no valid value.' };
    return sent({ status: 400, body: JSON.stringify({ error }), requestId: newId('req', 14) });
  });
}

function sent({ status, body, requestId, replayed }: Answer): Response {
  const headers = {
    'content-type': 'application/json',
    'request-id': requestId,
    'cache-control': 'no-store',
    ...(replayed && { 'idempotent-replayed': 'true' }),
  };
  return new Response(body, { status, headers });
}

async function answered(ground: Ground, route: Route, c: Context): Promise<Answer> {
  const requestId = newId('req', 14);
  try {
    refuseStrangers(c);
    const body = route.method === 'POST' ? await c.req.text() : '';
    const query = new URL(c.req.url).search.slice(1);
    const call: Call = {
      route,
      names: c.req.param() as Record<string, string>,
      params: decodeForm([query, body].filter(Boolean).join('&')),
      account: c.req.header('stripe-account') || PLATFORM,
      key: c.req.header('idempotency-key') ?? null,
      requestId,
    };
    return route.method === 'GET' ? await read(ground, call) : await write(ground, call);
  } catch (error) {
    return { ...faultAnswer(ground, error), requestId };
  }
}

/** Any test key will do, but a key there must be, and never a live one. */
function refuseStrangers(c: Context): void {
  const key = /^(?:Bearer|Basic) (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
  if (/^(?:sk|rk)_test_/.test(key)) return;
  const message =
    key === '' ? 'You did not provide an API key.' : 'Invalid API Key provided: this sandbox takes test keys only.';
  throw new StripeFault(401, { type: 'invalid_request_error', message });
}

function faultAnswer(ground: Ground, error: unknown): { status: number; body: string } {
  if (error instanceof StripeFault) return { status: error.status, body: JSON.stringify({ error: error.body }) };
  ground.log.error({ err: error }, 'the Stripe sandbox could not answer');
  const body = { type: 'api_error', message: 'An unknown error occurred in the sandbox.' };
  return { status: 500, body: JSON.stringify({ error: body }) };
}

const expansions = ({ params }: Call) =>
  (listOf(params.expand) ?? []).filter((path): path is string => typeof path === 'string');

async function read(ground: Ground, call: Call): Promise<Answer> {
  const work = openWork(ground.client, call.account, settingOf(ground));
  await refuseStrangeAccounts(work);
  const found = await call.route.run(work, call.params, call.names);
  return {
    status: 200,
    body: JSON.stringify(await expanded(work, found, expansions(call))),
    requestId: call.requestId,
  };
}

async function refuseStrangeAccounts(work: Work): Promise<void> {
  if (work.account === PLATFORM) return;
  if (!(await work.on(PLATFORM).get('account', work.account)))
    throw new StripeFault(403, {
      type: 'invalid_request_error',
      code: 'account_invalid',
      message: `The provided key does not have access to account '${work.account}' (or that account does not exist).`,
    });
}

/** In one transaction: what the call does, the answer under its idempotency key, and the events it causes. */
async function write(ground: Ground, call: Call): Promise<Answer> {
  const answer = await exclusively(ground.client, async (sql) => {
    const before = call.key === null ? null : await replay(sql, call);
    if (before) return before;
    const request = { id: call.requestId, key: call.key };
    const work = openWork(sql, call.account, { ...settingOf(ground), request });
    await refuseStrangeAccounts(work);
    const done = await carriedOut(work, call);
    await work.flush();
    if (call.key !== null) await remember(sql, call, done);
    return { ...done, requestId: call.requestId };
  });
  if (!answer.replayed) ground.written();
  return answer;
}

/** A refusal that keeps its traces (a declined card) is an answer like any other; others undo the transaction. */
async function carriedOut(work: Work, call: Call): Promise<{ status: number; body: string }> {
  try {
    const result = await call.route.run(work, call.params, call.names);
    return { status: 200, body: JSON.stringify(await expanded(work, result, expansions(call))) };
  } catch (error) {
    if (error instanceof StripeFault && error.keeps)
      return { status: error.status, body: JSON.stringify({ error: error.body }) };
    throw error;
  }
}

const fingerprint = ({ route, names, params }: Call) =>
  `${route.method} ${route.path} ${canonical(names)} ${canonical(params)}`;

async function replay(sql: Sql, call: Call): Promise<Answer | null> {
  const [kept] = await sql<{ fingerprint: string; status: number; body: string; request_id: string }[]>`
    select fingerprint, status, body, request_id from sandbox_stripe.requests
    where account = ${call.account} and key = ${call.key}`;
  if (!kept) return null;
  if (kept.fingerprint !== fingerprint(call))
    throw new StripeFault(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${call.key}' if you meant to execute a different request.`,
    });
  return { status: kept.status, body: kept.body, requestId: kept.request_id, replayed: true };
}

async function remember(sql: Sql, call: Call, { status, body }: { status: number; body: string }): Promise<void> {
  await sql`
    insert into sandbox_stripe.requests (account, key, fingerprint, status, body, request_id)
    values (${call.account}, ${call.key}, ${fingerprint(call)}, ${status}, ${body}, ${call.requestId})`;
}

/** Runs something of the sandbox's own (a page's button, a tick) as one piece of work. */
export async function inWork<T>(ground: Ground, run: (work: Work) => Promise<T>): Promise<T> {
  const result = await exclusively(ground.client, async (sql) => {
    const work = openWork(sql, PLATFORM, settingOf(ground));
    const done = await run(work).then(
      (value) => ({ value, error: undefined }),
      (error: unknown) => {
        if (error instanceof StripeFault && error.keeps) return { value: undefined, error };
        throw error;
      },
    );
    await work.flush();
    return done;
  });
  ground.written();
  if (result.error) throw result.error;
  return result.value as T;
}
