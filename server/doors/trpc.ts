import type { AnyProcedure } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { ERROR_KINDS, type ErrorKind } from '../base/errors';
import { describeProblem } from '../base/problems';
import type { App } from '../http/app-env';
import { isDecodable } from '../http/decodable';
import { noteAppRoute } from '../http/record-requests';
import type { RequestContext } from '../http/request-context';
import { CALL_LIMITS } from '../limits/http';
import type { Runtime } from '../runtime/runtime';
import { cookieContext } from '../trpc/context';
import { ContextFailed } from '../trpc/init';
import { appRouter } from '../trpc/router';

/** Mounts `/trpc/*`, for interactive components in the browser. */
export function mountTrpc(app: App, runtime: Runtime): void {
  app.all('/trpc/*', (c) => {
    noteAppRoute(c, templateOf(c.req.path));
    return isDecodable(c.req.raw.url) ? answerTrpc(runtime, c.req.raw, c.get('requestContext')) : c.notFound();
  });
}

/** Meters don't count the procedures of one request separately. */
function templateOf(path: string): string {
  const name = path.slice('/trpc/'.length);
  if (name.includes(',')) return '/trpc/(batch)';
  return Object.hasOwn(appRouter._def.procedures, name) ? `/trpc/${name}` : '/trpc/*';
}

function answerTrpc(runtime: Runtime, request: Request, context: RequestContext): Promise<Response> {
  const out = new Headers({ 'cache-control': 'private, no-store' });
  return fetchRequestHandler({
    endpoint: '/trpc',
    req: request,
    router: appRouter,
    maxBatchSize: CALL_LIMITS.batch,
    createContext: () => cookieContext(runtime, context, out).catch((error) => refuse(runtime, context, error)),
    responseMeta({ errors, paths }) {
      let status: number | undefined;
      for (const error of errors) {
        const { kind, params } = describeProblem(error);
        if (params.seconds && RETRIED.has(kind)) out.set('retry-after', String(params.seconds));
        if (error.code === 'METHOD_NOT_SUPPORTED') out.set('allow', methodsOf(paths));
        // tRPC has no code for a full disk, and reading the session fails outside of any procedure
        if (kind === 'unavailable' || kind === 'no_space') status = ERROR_KINDS[kind].status;
      }
      return { headers: out, status };
    },
  });
}

/** Procedures log their own failures; without a context, none runs. */
function refuse({ log }: Runtime, { language, requestId }: RequestContext, err: unknown): never {
  if (describeProblem(err).unexpected) log.error({ err, requestId }, 'no context for the call');
  throw new ContextFailed(language, err);
}

/** A batch has procedures of one type, and may name unknown ones. */
function methodsOf(paths: readonly string[] = []): string {
  const { procedures }: { procedures: Record<string, unknown> } = appRouter._def;
  const known = paths.find((path) => Object.hasOwn(procedures, path)) ?? '';
  const called = procedures[known] as AnyProcedure | undefined;
  return called?._def.type === 'query' ? 'GET' : 'POST';
}

/** Kinds of errors whose response says when to try again. */
const RETRIED = new Set<ErrorKind>(['too_many', 'unavailable']);
