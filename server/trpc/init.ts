import { type TRPCDefaultErrorShape as DefaultErrorShape, initTRPC, TRPCError } from '@trpc/server';
import superjson from 'superjson';
import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import { ERROR_KINDS, type ErrorParams, tooManyFields, tooManyRequests } from '../base/errors';
import { translate } from '../base/messages';
import { describeProblem, type Problem } from '../base/problems';
import type { LimitName } from '../flow/rate-limits';
import type { LoginGuard } from '../http/login-guard';
import { CALL_LIMITS } from '../limits/http';
import { currentCreator, requireCreator, requireUser } from '../policy/actor';
import type { RoleAbility } from '../policy/roles';
import type { Ctx } from '../runtime/ctx';
import { warnOfFullDisk } from '../watching/disk-warning';

/** The domain's context, and the rate limits, which only doors know. */
export type ApiCtx = Ctx & {
  /** The country of the user's account, or the region of the browser; null for visitors. */
  region: string | null;
  /** `by`: what is counted; default: the client's network. */
  limit(name: LimitName, by?: string): Promise<{ retryAfterSeconds: number } | null>;
  logins: LoginGuard;
  /** A secret of this browser for the steps of one log-in; creates it if the browser has none. */
  loginAttempt: { browser(): string };
  /**
   * The hash of a secret of this browser, which identifies a buyer without an account. `browser` creates the secret if
   * the browser has none.
   */
  buyer: { known(): string | null; browser(): string };
};

/**
 * Who may call a procedure: everyone, people with an account, operators, or members of the creator's team whose role
 * has the ability. The verb checks it; the authorization matrix takes its expectations from here. If only the input
 * shows whose content a call is about, the matrix has a row instead.
 */
type Meta = { openTo?: 'everyone' | 'users' | 'operators' | RoleAbility };

const typed = initTRPC.context<ApiCtx>().meta<Meta>();
const t = typed.create({
  transformer: superjson,
  errorFormatter({ shape, error, ctx }) {
    try {
      const answer = answerOf(describeProblem(error), shape, ctx?.translate ?? translateWithout(error));
      superjson.stringify(answer);
      return answer;
    } catch (err) {
      ctx?.log.error({ err, path: shape.data.path }, 'error not formatted');
      return answerOf(NOT_FORMATTED, shape, translateWithout(error));
    }
  },
});

/** The request failed before its procedure had a context, as the session's database was away: the language is known. */
export class ContextFailed extends Error {
  override name = 'ContextFailed';
  constructor(
    readonly language: Language,
    cause: unknown,
  ) {
    super('no context for the call', { cause });
  }
}

function translateWithout(error: TRPCError): (key: string, params: ErrorParams) => string {
  const language = error.cause instanceof ContextFailed ? error.cause.language : DEFAULT_LANGUAGE;
  return (key, params) => translate(language, key, params);
}

/** An answer that cannot be written would become a 500 without a line in the log. */
const NOT_FORMATTED = describeProblem(null);

function answerOf(
  problem: Problem,
  shape: DefaultErrorShape,
  translated: (key: string, params: ErrorParams) => string,
) {
  const message = (key: string, params: ErrorParams) => translated(`errors:${key}`, params);
  return {
    ...shape,
    message: message(problem.code, problem.params),
    data: {
      // no stack: internals are for the log only
      code: shape.data.code,
      httpStatus: shape.data.httpStatus,
      path: shape.data.path,
      app: { code: problem.code, kind: problem.kind, params: problem.params },
      fields: Object.fromEntries(
        Object.entries(problem.fields).map(([field, all]) => [field, all.map((s) => message(s.key, s.params))]),
      ),
    },
  };
}

/** Maps our errors to tRPC codes (ERROR_KINDS). The cause is kept for the other doors. */
const withAppErrors = t.middleware(async ({ next, path, ctx }) => {
  const result = await next();
  if (result.ok) return result;
  const problem = describeProblem(result.error);
  const { code } = result.error;
  if (problem.unexpected && code !== 'INTERNAL_SERVER_ERROR') {
    ctx.log.info({ path, code }, 'unreadable call');
    return result;
  }
  if (problem.kind === 'no_space') warnOfFullDisk(ctx, result.error.cause);
  if (problem.unexpected) ctx.log.error({ err: result.error, path }, 'procedure failed');
  throw new TRPCError({
    code: ERROR_KINDS[problem.kind].trpc,
    cause: result.error.cause ?? result.error,
    message: problem.code,
  });
});

/**
 * Zod lists every unknown field, so an object with thousands of them is rejected earlier.
 * @throws common.too_many_fields
 */
const withFewFields = t.middleware(async ({ getRawInput, next }) => {
  const input = await getRawInput();
  const count = typeof input === 'object' && input !== null ? Object.keys(input).length : 0;
  if (count > CALL_LIMITS.fields) throw tooManyFields();
  return next();
});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;
export const publicProcedure = t.procedure.use(withAppErrors).use(withFewFields);

/** Requires a logged-in user. */
export const userProcedure = publicProcedure
  .meta({ openTo: 'users' })
  .use(({ ctx, next }) => next({ ctx: { ...ctx, actor: requireUser(ctx) } }));

/** Requires a user with a creator page. */
export const creatorProcedure = publicProcedure.use(({ ctx, next }) =>
  next({ ctx: { ...ctx, actor: requireCreator(ctx) } }),
);

/** Limits calls per client (RATE_LIMITS). @throws common.too_many_requests */
export const limited = (name: LimitName) => publicProcedure.use(rateLimit(name));

/**
 * Limits calls whose link is invalid. Valid ones have no limit: email providers end emails for many people from few
 * addresses. @throws common.too_many_requests
 */
export const limitedInvalid = publicProcedure.use(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok || describeProblem(result.error).kind !== 'invalid') return result;
  const exceeded = await ctx.limit('invalidLink');
  if (exceeded) throw tooManyRequests(exceeded.retryAfterSeconds);
  return result;
});

/** Limits the calls about one thing that their valid input names, from any network. @throws common.too_many_requests */
export const limitedBy = <Input>(name: LimitName, keyOf: (input: Input, ctx: ApiCtx) => string) =>
  t.middleware(async ({ ctx, input, next }) => {
    const exceeded = await ctx.limit(name, keyOf(input as Input, ctx));
    if (exceeded) throw tooManyRequests(exceeded.retryAfterSeconds);
    return next();
  });

/** Limits the calls of logged-in users. @throws common.too_many_requests */
export const limitedUser = (name: LimitName) => userProcedure.use(rateLimit(name));

/** Limits the calls of creators. @throws common.too_many_requests */
export const limitedCreator = (name: LimitName) => creatorProcedure.use(rateLimit(name));

/** Limits the calls for a creator, from any network and by any member. @throws common.too_many_requests */
export const limitedForCreator = (name: LimitName) =>
  creatorProcedure.use(async ({ ctx, next }) => {
    const exceeded = await ctx.limit(name, `creator:${currentCreator(ctx).id}`);
    if (exceeded) throw tooManyRequests(exceeded.retryAfterSeconds);
    return next();
  });

/** Limits those calls for a creator whose valid input is of this kind. @throws common.too_many_requests */
export const limitedIf = <Input>(name: LimitName, isLimited: (input: Input) => boolean) =>
  t.middleware(async ({ ctx, input, next }) => {
    const exceeded = isLimited(input as Input) && (await ctx.limit(name, `creator:${currentCreator(ctx).id}`));
    if (exceeded) throw tooManyRequests(exceeded.retryAfterSeconds);
    return next();
  });

function rateLimit(name: LimitName) {
  return t.middleware(async ({ ctx, next }) => {
    const exceeded = await ctx.limit(name);
    if (exceeded) throw tooManyRequests(exceeded.retryAfterSeconds);
    return next();
  });
}
