import { ERROR_KINDS, type ErrorKind } from '../errors';
import type { Page } from '../paging';
import { describeProblem, type Problem } from '../problems';
import type { ApiCtx } from '../trpc/init';
import type { Call } from './call';
import { nameOf } from './names';

type Say = ApiCtx['translate'];
type Answer = { status: number; body: object; headers?: Record<string, string> };

/** `{count, next, previous, results}` with links that can be called as they are; null where the page does not exist. */
export function pageEnvelope(page: Page<unknown>, results: unknown, address: URL): object | null {
  const last = Math.max(1, Math.ceil(page.total / page.pageSize));
  if (page.page > last) return null;
  const link = (number: number) => {
    const url = new URL(address);
    if (number === 1) url.searchParams.delete('page');
    else url.searchParams.set('page', String(number));
    return url.href;
  };
  return {
    count: page.total,
    next: page.page < last ? link(page.page + 1) : null,
    previous: page.page > 1 ? link(page.page - 1) : null,
    results,
  };
}

/** How each kind of failure is said; what is not here is `{detail}` with the sentence of its code. */
const SAYINGS: Partial<Record<ErrorKind, (problem: Problem, say: Say, call: Call | null) => Omit<Answer, 'status'>>> = {
  invalid: (problem, say, call) => ({ body: fieldErrors(problem, say, call) }),
  unauthenticated: ({ code }, say) => ({
    body: { detail: say(code === 'common.invalid_token' ? `errors:${code}` : 'errors:rest.unauthenticated') },
    headers: { 'www-authenticate': 'Token' },
  }),
  limit_reached: ({ code, params }, say) => ({
    body: { detail: say(`errors:${code}`, params), code: 'plan_required' },
  }),
  forbidden: ({ code, params }, say) => ({ body: { detail: say(`errors:${code}`, params), code: reasonOf(code) } }),
  not_found: (_, say) => ({ body: { detail: say('errors:rest.not_found') } }),
  conflict: ({ code, params }, say) => ({ body: { detail: say(`errors:${code}`, params), code: 'conflict' } }),
  too_many: ({ params }, say) => {
    const seconds = Number(params.seconds ?? 1);
    return {
      body: { detail: say('errors:rest.throttled', { seconds }) },
      headers: { 'retry-after': String(seconds) },
    };
  },
};

/** The answer of a call that failed. An owner's call tells whoever is no creator nothing more than another creator. */
export function failure(error: unknown, say: Say, call: Call | null, requestId: string): Answer & { problem: Problem } {
  const problem = describeProblem(error);
  const kind = call?.access === 'owner' && problem.code === 'common.not_authorized' ? 'not_found' : problem.kind;
  if (call?.out?.paged && problem.fields.page) {
    return { problem, status: 404, body: { detail: say('errors:rest.invalid_page') } };
  }
  const { code, params } = problem;
  const said = SAYINGS[kind]?.(problem, say, call) ?? { body: { detail: say(`errors:${code}`, params) } };
  const { status } = ERROR_KINDS[kind];
  return { problem, status, ...said, body: status === 500 ? { ...said.body, request_id: requestId } : said.body };
}

function fieldErrors({ fields, code, params }: Problem, say: Say, call: Call | null): Record<string, string[]> {
  const said = Object.entries(fields).map(([field, sentences]): [string, string[]] => [
    field === 'form' ? 'non_field_errors' : nameOf(call ?? {}, field),
    sentences.map((sentence) => say(`errors:${sentence.key}`, sentence.params)),
  ]);
  return said.length > 0 ? Object.fromEntries(said) : { non_field_errors: [say(`errors:${code}`, params)] };
}

/** `episode.subscription_required` → `subscription_required`. */
function reasonOf(code: string): string {
  return code === 'common.not_authorized' ? 'permission_denied' : code.slice(code.indexOf('.') + 1);
}
