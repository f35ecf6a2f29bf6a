import { createHash } from 'node:crypto';
import { TRPCError } from '@trpc/server';
import { allowsScope } from '~/db/values/api-scopes';
import { isLanguage, type Language } from '~/locales/languages';
import { AppError, notFound, scopeMissing, tooManyRequests } from '../../base/errors';
import { pick } from '../../base/fields';
import type { Page } from '../../base/paging';
import { describeProblem } from '../../base/problems';
import { answerOnce } from '../../domain/developers/idempotent-calls';
import { changedNothing } from '../../domain/developers/rules';
import { productNotFound } from '../../domain/products/errors';
import { networkOf } from '../../flow/rate-limits';
import { acceptedLanguage } from '../../http/language';
import type { RequestContext } from '../../http/request-context';
import { API_LIMITS } from '../../limits/api';
import type { AnswerCache, KeptAnswer } from '../../rest/answer-cache';
import type { ProcedureName } from '../../rest/call';
import type { Runtime } from '../../runtime/runtime';
import { createCaller } from '../../trpc/caller';
import type { ApiCtx } from '../../trpc/init';
import { type ApiAccess, apiContext, callerOf, readBearer } from './api-access';
import { fieldsOfBody, readBytes } from './body';
import { type CallerRate, type CallerRates, rateHeaders } from './caller-rates';
import { idempotencyKeyInvalid, keyInAddress, methodNotAllowed, unknownVersion } from './errors';
import { pagingOf, v1Input } from './input';
import type { V1Match } from './match-call';
import { choose, nextCursor, type Place, readChosen, readPlace, readWalk } from './paging';
import { FALLBACK_LANGUAGE, toFailure } from './problem';
import type { V1Call } from './v1-call';

const HEADERS = {
  'cache-control': 'private, no-cache',
  vary: 'Accept-Language, Authorization, Altavoz-Version',
  // responses are not pages: if a browser renders one anyway, no script runs
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

export type V1Door = { runtime: Runtime; answers: AnswerCache; rates: CallerRates };

/** A matched call, with who makes it. */
type Asked = {
  call: V1Call;
  params: Record<string, string>;
  access: ApiAccess;
  url: URL;
  body: Uint8Array | null;
  contentType: string | null;
  language: Language;
  /** A kept answer needs no context. */
  openCtx: () => ApiCtx;
};
/** What became of a request, for the log of requests. */
export type Answered = { response: Response; call: V1Call | null; access: ApiAccess | null };

/** Answers one request to `/v1/*`, of which `found` is the row of the table. Any failure becomes problem details. */
export async function answerV1(
  door: V1Door,
  found: V1Match | null,
  request: Request,
  context: RequestContext,
): Promise<Answered> {
  const { runtime } = door;
  const accepted = acceptedLanguage(request.headers.get('accept-language'));
  let call: V1Call | null = null;
  let access: ApiAccess | null = null;
  let rate: CallerRate | null = null;
  try {
    const url = new URL(request.url);
    refuseKeys(url);
    const match = callOf(found);
    call = match.call;
    const version = versionOf(request.headers);
    access = await admit(runtime, context);
    rate = door.rates.count(callerOf(access), runtime.now());
    if (rate.isExceeded) throw tooManyRequests(rate.reset);
    // emails and texts of answers are the person's; failures are the program's, and are in English before anybody is known
    const language = accepted ?? (isLanguage(access.language) ? access.language : FALLBACK_LANGUAGE);
    assertScope(access, call);
    const body = request.method === 'GET' || request.method === 'HEAD' ? null : await readBytes(request, call.maxBytes);
    const contentType = request.headers.get('content-type');
    const asked = {
      ...match,
      access,
      url,
      body,
      contentType,
      language,
      openCtx: () => apiContext(runtime, { ...context, language }, access as ApiAccess),
    };
    const answer = await once(asked, request.headers.get('idempotency-key'), () => findAnswer(door, asked));
    const headers = { ...HEADERS, 'altavoz-version': version, ...rateHeaders(rate) };
    return { response: toResponse(answer, request, headers), call, access };
  } catch (error) {
    const { requestId } = context;
    const asked = { appUrl: runtime.urls.settings.appUrl, language: accepted ?? FALLBACK_LANGUAGE, requestId, call };
    const { status, headers, body, problem } = toFailure(error, asked);
    // the procedure has logged its own failures
    if (problem.unexpected && !(error instanceof TRPCError))
      runtime.log.error({ err: error, requestId, path: call?.path }, 'API request failed');
    const response = new Response(body, { status, headers: { ...HEADERS, ...headers, ...rateHeaders(rate) } });
    return { response, call, access };
  }
}

/** Addresses end up in logs and histories, so a key in one is worthless. Its value is not looked at. */
const NAMES_OF_KEYS = ['key', 'api_key', 'apikey', 'access_token', 'token'];

/** @throws api.key_in_address */
function refuseKeys({ search, searchParams }: URL): void {
  if (search !== '' && NAMES_OF_KEYS.some((name) => searchParams.has(name))) throw keyInAddress();
}

/** @throws common.not_found, api.method_not_allowed */
function callOf(match: V1Match | null): Extract<V1Match, { call: V1Call }> {
  if (!match) throw notFound();
  if (match.call === null) throw methodNotAllowed({ allow: match.allow });
  return match;
}

/** An unknown token costs a query, so a network may send only so many. @throws as readBearer */
async function admit(runtime: Runtime, context: RequestContext): Promise<ApiAccess> {
  try {
    return await readBearer(runtime, context);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'common.invalid_token') throw error;
    const exceeded = await runtime.rateLimits.consume('refusedToken', networkOf(context.address));
    throw exceeded ? tooManyRequests(exceeded.retryAfterSeconds) : error;
  }
}

/** A call whose scope depends on its input is let in with any of them. @throws api.scope_missing */
function assertScope({ scopes }: ApiAccess, { scope, scopeBy }: V1Call): void {
  const enough = [scope, ...Object.values(scopeBy?.scopes ?? {})];
  if (!enough.some((one) => one && allowsScope(scopes, one))) throw scopeMissing({ scope });
}

/** @throws api.scope_missing */
function assertScopeOf({ call: { scope, scopeBy }, access }: Asked, input: Record<string, unknown>): void {
  const value = scopeBy && input[scopeBy.field];
  const needed =
    (typeof value === 'string' && Object.hasOwn(scopeBy!.scopes, value) && scopeBy!.scopes[value]) || scope;
  if (!allowsScope(access.scopes, needed)) throw scopeMissing({ scope: needed });
}

/** The version that a client has chosen; otherwise the newest one. @throws api.unknown_version */
function versionOf(headers: Headers): string {
  const chosen = headers.get('altavoz-version');
  const newest = API_LIMITS.versions.at(-1) as string;
  if (chosen !== null && !API_LIMITS.versions.some((version) => version === chosen))
    throw unknownVersion({ versions: API_LIMITS.versions.join(', ') });
  return chosen ?? newest;
}

/** A change with an Idempotency-Key is made once. @throws api.idempotency_key_invalid, and as answerOnce */
function once(asked: Asked, key: string | null, make: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
  const { call, access, url, body, openCtx } = asked;
  if (key === null || call.method === 'GET') return make();
  if (key.length > API_LIMITS.idempotencyKeyLength || !/^[\x21-\x7e]+$/.test(key)) throw idempotencyKeyInvalid();
  if (call.isRepeatable) return make();
  const request = `${call.method} ${url.pathname}${url.search}\n${Buffer.from(body ?? []).toString('base64')}`;
  const repeatable = { creatorId: access.creatorId, caller: callerOf(access), key, request };
  return answerOnce(openCtx(), repeatable, { make, isRefusal });
}

/** Whether a call may be sent again, because its failure is certain to have changed nothing. */
export const isRefusal = (error: unknown): boolean => changedNothing(describeProblem(error).kind);

/** Returns a kept answer if the call allows it, otherwise a new one. */
function findAnswer({ answers }: V1Door, asked: Asked): Promise<KeptAnswer> {
  const { call, access, url, language } = asked;
  const make = () => callProcedure(asked);
  if (call.keptFor) {
    const who = [callerOf(access), access.role, language].join(' ');
    return answers.find(`v1 ${who} ${url.pathname}${url.search}`, call.keptFor, make);
  }
  // also after a failure, because committed changes may be announced only after this caller's next request
  return make().finally(() => {
    if (call.method !== 'GET') answers.clear();
  });
}

type Procedures = Record<string, Record<string, (input: unknown) => Promise<unknown>>>;

async function callProcedure(asked: Asked): Promise<KeptAnswer> {
  const { call, params, url } = asked;
  const ctx = asked.openCtx();
  const chosen = readChosen(url.searchParams);
  const place = call.isPaged && !call.walk ? readPlace(url.searchParams) : null;
  const input: Record<string, unknown> = {
    ...v1Input(call, params, sentFields(asked)),
    ...(place && pick(place, pagingOf(call))),
    ...(call.walk && readWalk(url.searchParams, call.isCursor)),
  };
  if (call.scopeBy) assertScopeOf(asked, input);
  const value = await callNamed(ctx, call.procedure, call.toInput ? call.toInput(input) : input);
  const { out, status = 200 } = call;
  if (!out) return { status: 204, body: null };
  const write = (item: unknown) => choose(out.write(item, ctx) as object, chosen);
  if (call.walk) {
    const { items, total, next } = call.walk(value as never);
    return { status, body: JSON.stringify({ data: items.map(write), total, next_cursor: next }) };
  }
  if (!place) {
    assertOwn(asked, [value]);
    return { status, body: JSON.stringify(write(value)) };
  }
  const page = pageOf(call.itemsIn ? (value as Record<string, unknown>)[call.itemsIn] : value, place);
  assertOwn(asked, page.items);
  // an empty list says nothing about whose it is
  if (page.items.length === 0 && call.ifEmpty && input.productId !== undefined)
    await callNamed(ctx, call.ifEmpty, { id: input.productId });
  return {
    status,
    body: JSON.stringify({ data: page.items.map(write), total: page.total, next_cursor: nextCursor(page) }),
  };
}

function callNamed(ctx: ApiCtx, procedure: ProcedureName, input: unknown): Promise<unknown> {
  const [room = '', verb = ''] = procedure.split('.');
  const called = (createCaller(ctx) as unknown as Procedures)[room]?.[verb];
  if (!called) throw new Error(`no procedure ${procedure}`);
  return called(input);
}

/** Procedures without pages return whole lists, whose length their rooms limit. */
function pageOf(value: unknown, place: Place): Page<unknown> {
  if (!Array.isArray(value)) return value as Page<unknown>;
  const from = (place.page - 1) * place.pageSize;
  return { items: value.slice(from, from + place.pageSize), total: value.length, ...place };
}

/** @throws product.not_found for what another creator publishes, as for what doesn't exist */
function assertOwn({ call, access }: Asked, items: readonly unknown[]): void {
  const { creatorOf } = call;
  if (creatorOf && items.some((item) => creatorOf(item as never) !== access.creatorId)) throw productNotFound();
}

const RESERVED = ['fields', 'limit', 'cursor'];

/** The query of a read, the body of a write. */
function sentFields({ call, url, body, contentType }: Asked): Iterable<readonly [string, unknown]> {
  if (call.method !== 'GET') return body ? fieldsOfBody(body, contentType) : [];
  const reserved = call.isPaged ? RESERVED : RESERVED.slice(0, 1);
  return [...url.searchParams].filter(([name]) => !reserved.includes(name));
}

/** 304 for a read whose answer the client has. Headers are one object, because setting each takes twice as long. */
function toResponse(answer: KeptAnswer, request: Request, headers: Record<string, string>): Response {
  const { status, body } = answer;
  if (body === null) return new Response(null, { status, headers });
  const written = { ...headers, 'content-type': 'application/json; charset=utf-8' };
  if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(body, { status, headers: written });
  const etag = etagOf(answer, body);
  const known = request.headers.get('if-none-match')?.split(',') ?? [];
  const isKnown = known.some((tag) => [etag, '*'].includes(tag.trim().replace(/^W\//, '')));
  return new Response(isKnown ? null : body, { status: isKnown ? 304 : status, headers: { ...written, etag } });
}

/** Those of answers that are kept. */
const etags = new WeakMap<KeptAnswer, string>();

function etagOf(answer: KeptAnswer, body: string): string {
  const known = etags.get(answer);
  if (known) return known;
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  etags.set(answer, etag);
  return etag;
}
