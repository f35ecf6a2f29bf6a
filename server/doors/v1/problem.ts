import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import { ERROR_KINDS, type ErrorKind } from '../../base/errors';
import { translate } from '../../base/messages';
import { describeProblem, type Problem } from '../../base/problems';
import { API_DOCS_PATH } from '../../base/public-paths';
import { OWN_PROBLEMS, textKeyOf } from './errors';
import { v1NameOf } from './input';
import type { V1Call } from './v1-call';

const BAD_GATEWAY = 502;

type Asked = { appUrl: string; language: Language; requestId: string; call: V1Call | null };
export type Failure = { status: number; headers: Record<string, string>; body: string; problem: Problem };

/** The answer to a failed call: problem details (RFC 9457), in the caller's language. */
export function toFailure(error: unknown, { appUrl, language, requestId, call }: Asked): Failure {
  const problem = describeProblem(error);
  const { kind, code, params } = problem;
  // another server has failed, not this one
  const isTheirs = kind === 'upstream' && !problem.unexpected;
  const own = OWN_PROBLEMS[code];
  const status = own?.status ?? (isTheirs ? BAD_GATEWAY : ERROR_KINDS[kind].status);
  const text = (key: string, values = {}) => translate(language, `errors:${key}`, values);
  const fields = fieldErrors(problem, call, text);
  const name = own?.name ?? kind.replaceAll('_', '-');
  const body = {
    type: `${appUrl}${API_DOCS_PATH}#problem-${name}`,
    title: text(`api.title.${name}`),
    status,
    detail: text(textKeyOf(code), params),
    code,
    ...(fields && { errors: fields }),
    request_id: requestId,
  };
  return { status, headers: headersOf(kind, code, params), body: JSON.stringify(body), problem };
}

type Translate = (key: string, values?: Record<string, string | number>) => string;

/** Messages by field, as the API names fields; null if the failure is about none. */
function fieldErrors({ code, fields }: Problem, call: V1Call | null, text: Translate): Record<string, string[]> | null {
  const entries = Object.entries(fields).map(([field, messages]): [string, string[]] => {
    // a field that the call does not have is named as the client has sent it; `chapters.0.startMs` → `chapters.0.start_ms`
    const name =
      code === 'field.unknown'
        ? field
        : field
            .split('.')
            .map((part) => v1NameOf(call ?? {}, part))
            .join('.');
    return [name, messages.map(({ key, params }) => text(key, params))];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function headersOf(kind: ErrorKind, code: string, params: Problem['params']) {
  const headers: Record<string, string> = { 'content-type': 'application/problem+json; charset=utf-8' };
  if (params.seconds !== undefined) headers['retry-after'] = String(params.seconds);
  if (code === 'api.method_not_allowed') headers.allow = String(params.allow);
  // RFC 6750: without credentials, the challenge names no error
  if (kind === 'unauthenticated')
    headers['www-authenticate'] =
      code === 'common.unauthenticated' ? 'Bearer realm="altavoz"' : 'Bearer realm="altavoz", error="invalid_token"';
  if (code === 'api.scope_missing')
    headers['www-authenticate'] = `Bearer realm="altavoz", error="insufficient_scope", scope="${params.scope}"`;
  return headers;
}

/** The language of answers to callers whose language nobody knows. */
export const FALLBACK_LANGUAGE = DEFAULT_LANGUAGE;
