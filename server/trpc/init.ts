import { initTRPC, TRPCError } from '@trpc/server';
import superjson from 'superjson';
import type { Ctx } from '../ctx';
import { ERROR_KINDS, tooManyRequests } from '../errors';
import type { LimitName } from '../http/rate-limits';
import { requireCreator, requireUser } from '../policy/actor';
import { describeProblem } from '../problems';

/** The domain's context, and what only a door knows: how to count calls of one client. */
export type ApiCtx = Ctx & { limit(name: LimitName, key?: string): Promise<{ retryAfterSeconds: number } | null> };

const t = initTRPC.context<ApiCtx>().create({
  transformer: superjson,
  errorFormatter({ shape, error, ctx }) {
    const problem = describeProblem(error);
    const said = (key: string, params: Record<string, string | number>) =>
      ctx?.translate(`errors:${key}`, params) ?? key;
    return {
      ...shape,
      message: said(problem.code, problem.params),
      data: {
        // no stack: what failed inside is for the log
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        path: shape.data.path,
        app: { code: problem.code, kind: problem.kind, params: problem.params },
        fields: Object.fromEntries(
          Object.entries(problem.fields).map(([field, all]) => [field, all.map((s) => said(s.key, s.params))]),
        ),
      },
    };
  },
});

/** Our errors leave as tRPC's, with the code of the one table; the cause stays for the other doors. */
const translating = t.middleware(async ({ next, path, ctx }) => {
  const result = await next();
  if (result.ok) return result;
  const problem = describeProblem(result.error);
  if (problem.unexpected) ctx.log.error({ err: result.error, path }, 'procedure failed');
  if (problem.unexpected && result.error.code !== 'INTERNAL_SERVER_ERROR') return result;
  throw new TRPCError({
    code: ERROR_KINDS[problem.kind].trpc,
    cause: result.error.cause ?? result.error,
    message: problem.code,
  });
});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;
export const publicProcedure = t.procedure.use(translating);

/** Who calls must be logged in. */
export const userProcedure = publicProcedure.use(({ ctx, next }) => next({ ctx: { ...ctx, actor: requireUser(ctx) } }));

/** Who calls must have claimed a creator page. */
export const creatorProcedure = publicProcedure.use(({ ctx, next }) =>
  next({ ctx: { ...ctx, actor: requireCreator(ctx) } }),
);

/** At most so many calls of one client in a while (RATE_LIMITS). @throws common.too_many_requests */
export const limited = (name: LimitName) => publicProcedure.use(counting(name));

/** The same for who must be logged in. @throws common.too_many_requests */
export const limitedUser = (name: LimitName) => userProcedure.use(counting(name));

function counting(name: LimitName) {
  return t.middleware(async ({ ctx, next }) => {
    await assertNotTooOften(ctx, name);
    return next();
  });
}

/** @param key what is counted, the client's address unless given; only its hash is kept. @throws common.too_many_requests */
export async function assertNotTooOften(ctx: ApiCtx, name: LimitName, key?: string): Promise<void> {
  const refused = await ctx.limit(name, key);
  if (refused) throw tooManyRequests({ seconds: refused.retryAfterSeconds });
}
