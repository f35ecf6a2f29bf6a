import { ERROR_KINDS, type ErrorKind } from '../base/errors';
import type { Page } from '../base/paging';
import { describeProblem, type Problem } from '../base/problems';
import type { ApiCtx } from '../trpc/init';
import type { Call } from './call';
import { legacyNameOf } from './names';

type Translate = ApiCtx['translate'];
type Rendered = { status: number; body: object; headers?: Record<string, string> };

/** `{count, next, previous, results}` with absolute links; null if the page does not exist. */
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

/** The response body by kind of error. Other kinds get `{detail}` with the error's message. */
const RENDERERS: Partial<
  Record<ErrorKind, (problem: Problem, translate: Translate, call: Call | null) => Omit<Rendered, 'status'>>
> = {
  invalid: (problem, translate, call) => ({ body: fieldErrors(problem, translate, call) }),
  unauthenticated: ({ code }, translate) => ({
    body: { detail: translate(code === 'common.invalid_token' ? `errors:${code}` : 'errors:rest.unauthenticated') },
    headers: { 'www-authenticate': 'Token' },
  }),
  limit_reached: ({ code, params }, translate) => ({
    body: { detail: translate(`errors:${code}`, params), code: 'plan_required' },
  }),
  forbidden: ({ code, params }, translate) => ({
    body: { detail: translate(`errors:${code}`, params), code: legacyCodeOf(code) },
  }),
  not_found: (_, translate) => ({ body: { detail: translate('errors:rest.not_found') } }),
  conflict: ({ code, params }, translate) => ({
    body: { detail: translate(`errors:${code}`, params), code: 'conflict' },
  }),
  unavailable: ({ code, params }, translate) => ({
    body: { detail: translate(`errors:${code}`, params) },
    headers: { 'retry-after': String(params.seconds) },
  }),
  too_many: ({ code, params }, translate) => {
    const seconds = String(params.seconds);
    const throttled = translate('errors:rest.throttled', { seconds });
    const reason = code === 'common.too_many_requests' ? '' : ` ${translate(`errors:${code}`, params)}`;
    return { body: { detail: throttled + reason }, headers: { 'retry-after': seconds } };
  },
};

/** Legacy clients know neither 410 nor 507. */
const LEGACY_STATUS: Partial<Record<ErrorKind, number>> = { no_space: 500, expired: 400 };

/** The response to a failed call. Owner calls answer 404 to users without a creator page too, as to other creators. */
export function renderFailure(
  error: unknown,
  translate: Translate,
  call: Call | null,
  requestId: string,
): Rendered & { problem: Problem } {
  const problem = describeProblem(error);
  const kind = call?.access === 'owner' && problem.code === 'common.not_authorized' ? 'not_found' : problem.kind;
  if (call?.out?.paged && problem.fields.page) {
    return { problem, status: 404, body: { detail: translate('errors:rest.invalid_page') } };
  }
  const { code, params } = problem;
  const rendered = RENDERERS[kind]?.(problem, translate, call) ?? {
    body: { detail: translate(`errors:${code}`, params) },
  };
  const status = LEGACY_STATUS[kind] ?? ERROR_KINDS[kind].status;
  return {
    problem,
    status,
    ...rendered,
    body: status === 500 ? { ...rendered.body, request_id: requestId } : rendered.body,
  };
}

function fieldErrors(
  { fields, code, params }: Problem,
  translate: Translate,
  call: Call | null,
): Record<string, string[]> {
  const errors = Object.entries(fields).map(([field, messages]): [string, string[]] => [
    field === 'form' ? 'non_field_errors' : legacyNameOf(call ?? {}, field),
    messages.map((message) => translate(`errors:${message.key}`, message.params)),
  ]);
  return errors.length > 0 ? Object.fromEntries(errors) : { non_field_errors: [translate(`errors:${code}`, params)] };
}

/** `episode.subscription_required` → `subscription_required`. */
function legacyCodeOf(code: string): string {
  return code === 'common.not_authorized' ? 'permission_denied' : code.slice(code.indexOf('.') + 1);
}
