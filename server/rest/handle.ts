import { TRPCError } from '@trpc/server';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '~/locales/languages';
import { notFound } from '../errors';
import type { Facts } from '../http/facts';
import { PAGE_LIMITS } from '../limits/paging';
import { acceptedLanguage, translate } from '../messages';
import type { Page } from '../paging';
import type { Runtime } from '../runtime';
import { createCaller } from '../trpc/caller';
import { tokenContext } from '../trpc/context';
import type { ApiCtx } from '../trpc/init';
import { readFields, refusal } from './body';
import type { Call } from './call';
import { readCredentials } from './credentials';
import { failure, pageEnvelope } from './envelope';
import { matchCall } from './match';
import { inputOf } from './names';

type Answer = { status: number; body: unknown };

/** Answers one call of `/api/*`: match, credentials, input, procedure, serializer. Whatever fails becomes its answer. */
export async function answerCall(runtime: Runtime, request: Request, facts: Facts): Promise<Response> {
  const accepted = acceptedLanguage(request.headers.get('accept-language'));
  let language = accepted ?? DEFAULT_LANGUAGE;
  let call: Call | null = null;
  try {
    const match = findCall(request, language);
    call = match.call;
    const reading = await readCredentials(runtime.sessions, request.headers.get('authorization'), call.access);
    language = accepted ?? (isLanguage(reading?.language) ? reading.language : DEFAULT_LANGUAGE);
    const ctx = await tokenContext(runtime, { ...facts, language }, reading);
    const input = await readInput(call, match.params, request, ctx);
    return write(await perform(call, input, ctx, addressOf(request, facts)));
  } catch (error) {
    if (error instanceof Response) return error;
    const failed = failure(error, (key, params) => translate(language, key, params), call, facts.requestId);
    // what failed inside a procedure was logged there
    if (failed.problem.unexpected && !(error instanceof TRPCError)) {
      runtime.log.error({ err: error, requestId: facts.requestId, path: call?.path }, 'a REST call failed');
    }
    return Response.json(failed.body, { status: failed.status, headers: failed.headers });
  }
}

/** @throws common.not_found; Response 405 for a method that the path does not have */
function findCall(request: Request, language: Language): { call: Call; params: Record<string, string> } {
  const match = matchCall(request.method, new URL(request.url).pathname.replace(/^\/api\//, ''));
  if (!match) throw notFound();
  if (match.call) return match;
  const detail = translate(language, 'errors:rest.method_not_allowed', { method: request.method });
  throw refusal(405, { detail }, { allow: match.allow });
}

/** The request's address as the client knows it: behind a proxy the host that it asked. */
function addressOf(request: Request, { origin }: Facts): URL {
  const { pathname, search } = new URL(request.url);
  return new URL(pathname + search, origin);
}

/** Query for reads, body for writes; a query string on a write is ignored, as clients send leftovers of lists there. */
async function readInput(
  call: Call,
  params: Record<string, string>,
  request: Request,
  { language, translate }: ApiCtx,
) {
  const given = call.method === 'GET' ? new URL(request.url).searchParams : await readFields(request, language);
  const { input, strangers } = inputOf(call, params, given);
  if (call.method === 'PATCH' && strangers.length > 0) {
    throw refusal(400, Object.fromEntries(strangers.map((name) => [name, [translate('errors:field.unknown')]])));
  }
  return call.out?.paged ? { ...input, pageSize: pageSizeOf(input.pageSize) } : input;
}

/** A size that makes no sense is the usual one, and one that is too large the largest. */
function pageSizeOf(wanted: unknown): number {
  const size = Number(wanted);
  return Number.isInteger(size) && size > 0 ? Math.min(size, PAGE_LIMITS.maxSize) : PAGE_LIMITS.size;
}

type Procedures = Record<string, Record<string, (input: unknown) => Promise<unknown>>>;

async function perform(call: Call, input: unknown, ctx: ApiCtx, address: URL): Promise<Answer> {
  const [room = '', verb = ''] = call.procedure.split('.');
  const procedures = createCaller(ctx) as unknown as Procedures;
  const value = await procedures[room]?.[verb]?.(input);
  if (!call.out) return { status: 204, body: null };
  const body = call.out.write(value, ctx);
  const status = call.statusOf?.(value) ?? call.status ?? 200;
  if (!call.out.paged) return { status, body };
  const envelope = pageEnvelope(value as Page<unknown>, body, address);
  return envelope
    ? { status, body: envelope }
    : { status: 404, body: { detail: ctx.translate('errors:rest.invalid_page') } };
}

function write({ status, body }: Answer): Response {
  return status === 204 ? new Response(null, { status }) : Response.json(body, { status });
}
