import { TRPCError } from '@trpc/server';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '~/locales/languages';
import type { ActiveSession } from '../auth/sessions';
import { hashToken } from '../auth/token-hash';
import { notFound } from '../base/errors';
import { translate } from '../base/messages';
import type { Page } from '../base/paging';
import { detectClientLanguage } from '../http/language';
import type { RequestContext } from '../http/request-context';
import { PAGE_LIMITS } from '../limits/paging';
import type { Runtime } from '../runtime/runtime';
import { createCaller } from '../trpc/caller';
import { tokenContext } from '../trpc/context';
import type { ApiCtx } from '../trpc/init';
import type { AnswerCache, KeptAnswer } from './answer-cache';
import { errorResponse, readFields } from './body';
import type { Call } from './call';
import { readCredentials } from './credentials';
import { pageEnvelope, renderFailure } from './envelope';
import { matchCall } from './match';
import { inputOf } from './names';

export type RestDoor = { runtime: Runtime; answers: AnswerCache };

/**
 * Answers one request to `/api/*`: match, credentials, input, procedure, serializer. Any failure becomes a response.
 */
export async function answerCall(
  { runtime, answers }: RestDoor,
  request: Request,
  context: RequestContext,
): Promise<Response> {
  const accepted = await detectClientLanguage({ acceptLanguage: request.headers.get('accept-language') });
  let language = accepted ?? DEFAULT_LANGUAGE;
  let call: Call | null = null;
  const out = new Headers();
  try {
    const match = matchRequest(request, language);
    call = match.call;
    const session = await readCredentials(runtime.sessions, request.headers.get('authorization'), call.access);
    language = accepted ?? (isLanguage(session?.language) ? session.language : DEFAULT_LANGUAGE);
    const address = publicUrlOf(request, context);
    const make = async () => {
      const ctx = await tokenContext(runtime, { request: { ...context, language }, out }, session);
      return callProcedure(match.call, await readInput(match.call, match.params, request, ctx), ctx, address);
    };
    return toResponse(await findAnswer(answers, { call, session, language, address }, make), out);
  } catch (error) {
    if (error instanceof Response) return error;
    const failure = renderFailure(error, (key, params) => translate(language, key, params), call, context.requestId);
    // the procedure has logged its own failures
    if (failure.problem.unexpected && !(error instanceof TRPCError)) {
      runtime.log.error({ err: error, requestId: context.requestId, path: call?.path }, 'REST request failed');
    }
    return Response.json(failure.body, { status: failure.status, headers: failure.headers });
  }
}

/** @throws common.not_found; Response 405 for a method that the path does not support */
function matchRequest(request: Request, language: Language): { call: Call; params: Record<string, string> } {
  const match = matchCall(request.method, new URL(request.url).pathname.replace(/^\/api\//, ''));
  if (!match) throw notFound();
  if (match.call) return match;
  const detail = translate(language, 'errors:rest.method_not_allowed', { method: request.method });
  throw errorResponse(405, { detail }, { allow: match.allow });
}

/** Everything on which an answer depends, apart from stored rows. The session was just found valid. */
type Asked = { call: Call; session: ActiveSession | null; language: Language; address: URL };

/** Returns a kept answer if the call allows it, otherwise a new one. */
function findAnswer(answers: AnswerCache, asked: Asked, make: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
  const { method, keptFor } = asked.call;
  if (keptFor) return answers.find(keyOf(asked), keptFor, make);
  // also after a failure, because committed changes may be announced only after this caller's next request
  return make().finally(() => {
    if (method !== 'GET' && asked.session) answers.clear();
  });
}

function keyOf({ session, language, address }: Asked): string {
  const who = session ? `${hashToken(session.token)} ${session.ownCreatorId}` : 'visitor';
  return `${who} ${language} ${address.href}`;
}

/** The request's URL as the client sees it: behind a proxy, with the proxy's host. */
function publicUrlOf(request: Request, { origin }: RequestContext): URL {
  const { pathname, search } = new URL(request.url);
  return new URL(pathname + search, origin);
}

/**
 * Query for reads, body for writes. Legacy clients leave list parameters in the query of a write, so it is ignored
 * there.
 */
async function readInput(
  call: Call,
  params: Record<string, string>,
  request: Request,
  { language, translate }: ApiCtx,
) {
  const sent = call.method === 'GET' ? new URL(request.url).searchParams : await readFields(request, language);
  const { input, unknownKeys } = inputOf(call, params, sent);
  if (call.method === 'PATCH' && unknownKeys.length > 0) {
    throw errorResponse(
      400,
      Object.fromEntries(unknownKeys.map((name) => [name, [translate('errors:field.unknown')]])),
    );
  }
  return call.out?.paged ? { ...input, pageSize: pageSizeOf(input.pageSize) } : input;
}

/** An invalid size becomes the default, a too large one the maximum. */
function pageSizeOf(input: unknown): number {
  const size = Number(input);
  return Number.isInteger(size) && size > 0 ? Math.min(size, PAGE_LIMITS.maxSize) : PAGE_LIMITS.size;
}

type Procedures = Record<string, Record<string, (input: unknown) => Promise<unknown>>>;

async function callProcedure(call: Call, input: unknown, ctx: ApiCtx, address: URL): Promise<KeptAnswer> {
  const [room = '', verb = ''] = call.procedure.split('.');
  const procedures = createCaller(ctx) as unknown as Procedures;
  const value = await procedures[room]?.[verb]?.(input);
  if (!call.out) return { status: 204, body: null };
  const body = call.out.write(value, ctx);
  const status = call.statusOf?.(value) ?? call.status ?? 200;
  if (!call.out.paged) return { status, body: JSON.stringify(body) };
  const envelope = pageEnvelope(value as Page<unknown>, body, address);
  return envelope
    ? { status, body: JSON.stringify(envelope) }
    : { status: 404, body: JSON.stringify({ detail: ctx.translate('errors:rest.invalid_page') }) };
}

function toResponse({ status, body }: KeptAnswer, headers: Headers): Response {
  if (body !== null) headers.set('content-type', 'application/json');
  return new Response(body, { status, headers });
}
