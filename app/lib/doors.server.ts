import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect, redirectDocument } from '@remix-run/node';
import { LANGUAGES, type Language } from '~/locales/languages';
import { SITE_SLUGS } from '~/locales/site-slugs';
import { SLUGS } from '~/locales/slugs';
import { LEGAL_PAGES } from '~/server/limits/content';
import type { Caller } from '~/server/trpc/caller';
import { pathsIn } from './paths';
import { languageOf, prefixOf } from './site-paths';

type Args = LoaderFunctionArgs | ActionFunctionArgs;
export type Params = Record<string, string | undefined>;
/** The tools of loaders and actions. */
export type Door = Pick<Args, 'request' | 'context'> & { api: Caller; params: Params; url: URL };

/** The language of a reader's texts, and the locale of the dates and amounts in them. */
export type Reader = Pick<Args['context'], 'language' | 'locale'>;

/**
 * The reasons why a form failed: messages by field, a message for the whole form, and the submitted values. `params`: the
 * values of the first message, such as the name of what is in the way.
 */
export type FormFailure = {
  ok: false;
  code: string;
  params?: Record<string, string | number>;
  fields: Record<string, string[]>;
  message: string | null;
  values: Record<string, string>;
};

/** @throws a redirect if the request must lead elsewhere */
function toDoor({ request, context, params }: Args): Door {
  assertStays(context);
  return { request, context, params, api: context.api, url: new URL(request.url) };
}

/** Throws if the security check must end a route change, which then loads another document. @throws the redirect */
export function assertStays({ leaveFor }: Args['context']): void {
  if (leaveFor !== null) throw redirectDocument(leaveFor);
}

/** The path in the address bar: single fetch requests it as `/path.data`. */
export function pagePath({ url }: Pick<Door, 'url'>): string {
  const params = new URLSearchParams(url.search);
  params.delete('_routes');
  const query = params.size > 0 ? `?${params}` : '';
  return url.pathname.replace(/\.data$/, '').replace(/\/_root$/, '/') + query;
}

function redirectToLogin(door: Door): Response {
  const here = pagePath(door);
  return redirect(pathsIn(prefixOf(here)).login(here));
}

/** The first-login dialog, and pages that its users may need before it. */
const OPEN_PAGES = new Set([
  'first-login',
  'login',
  'error',
  'contact',
  'report',
  'unsubscribe',
  // a buyer whose payment has just created the account may hear the show at once
  'thanks',
  ...LEGAL_PAGES.flatMap((name) => Object.values(SLUGS[name])),
]);

/**
 * Every other page redirects to the first-login dialog until the user has answered it (spec §5). Going back, a reload,
 * another tab or a creator's host can't dismiss it.
 */
function assertFirstLogin(door: Door): void {
  const { needsFirstLogin, site, appUrl, origin } = door.context;
  const here = pagePath(door);
  const prefix = prefixOf(here);
  const [first = ''] = here.slice(prefix.length + 1).split(/[/?]/);
  if (!needsFirstLogin || OPEN_PAGES.has(first)) return;
  const { firstLogin } = pathsIn(prefix);
  const isElsewhere = site.kind === 'creator' && site.form === 'host';
  throw redirect(isElsewhere ? appUrl + firstLogin(origin + here) : firstLogin(here));
}

/**
 * Redirects `/es/features` to `/es/funcionalidades`, with the rest of the path and the query. Without a language, the
 * slugs of all languages stay. @throws the redirect
 */
function assertSlug(door: Door): void {
  const here = pagePath(door);
  const prefix = prefixOf(here);
  const [, asked = '', rest = ''] = /^([^/?]*)(.*)$/s.exec(here.slice(prefix.length + 1)) ?? [];
  const own = prefix && OWN_SLUGS[languageOf(prefix)].get(asked);
  if (own && own !== asked) throw redirect(`${prefix}/${own}${rest}`, 301);
}

/** For each language: the slug of a page in that language, by its slugs in all languages. */
const OWN_SLUGS = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    new Map(Object.values(SITE_SLUGS).flatMap((slugs) => Object.values(slugs).map((slug) => [slug, slugs[language]]))),
  ]),
) as Record<Language, Map<string, string>>;

/**
 * Makes a loader. An unauthenticated error redirects to the login page, which leads back. Other expected errors, such
 * as a 404 or a missing permission, reach the error page with their message.
 */
export const page = <Result>(load: Load<Result>) =>
  loader(load, ({ message, code, status }) => data({ message, code }, { status }));

/** Makes a loader for a file, which has no error page: expected errors are answered as text. */
export const file = <Result>(load: Load<Result>) =>
  loader(load, ({ message, status }) => {
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
    return new Response(`${message}\n`, { status, headers });
  });

type Load<Result> = (door: Door) => Promise<Result> | Result;
type Problem = ReturnType<Args['context']['describeError']>;

function loader<Result>(load: Load<Result>, toAnswer: (problem: Problem) => unknown) {
  return async (args: LoaderFunctionArgs): Promise<Result> => {
    const door = toDoor(args);
    try {
      assertFirstLogin(door);
      assertSlug(door);
      return await load(door);
    } catch (error) {
      if (isAnswer(error)) throw error;
      const problem = args.context.describeError(error);
      if (problem.unexpected) throw error;
      if (problem.kind === 'unauthenticated') throw redirectToLogin(door);
      throw toAnswer(problem);
    }
  };
}

/** Whether a value is Remix's `data`, whose class Remix does not export. */
export const isData = (thrown: unknown): boolean =>
  (thrown as { type?: unknown } | null)?.type === 'DataWithResponseInit';

/** Whether a loader or an action threw the value on purpose. */
const isAnswer = (thrown: unknown): boolean => thrown instanceof Response || isData(thrown);

const isSecret = (name: string) => /password|^code$|^response$/i.test(name);

/**
 * The text fields of a form. Of several fields with one name, the last counts: a ticked box follows its hidden 'false'.
 * @throws 415 for another content type, 400 for a malformed form
 */
async function submittedValues({ request, context }: Args): Promise<Submitted> {
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(
    request.headers.get('content-type') ?? '',
  );
  const message = context.translate('errors:common.not_a_form');
  if (!isForm) throw data({ message, code: 'common.not_a_form' }, { status: 415 });
  const form = await request.formData().catch(() => {
    throw data({ message, code: 'common.not_a_form' }, { status: 400 });
  });
  const entries = [...form];
  return {
    values: Object.fromEntries(entries.filter((e): e is [string, string] => typeof e[1] === 'string')),
    files: Object.fromEntries(entries.filter((e): e is [string, File] => typeof e[1] !== 'string')),
  };
}

type Submitted = { values: Record<string, string>; files: Record<string, File> };

/**
 * Makes an action that passes the form's values to a procedure. Success redirects to `then`. A failure returns a
 * message for each field and the submitted values, except secrets, with and without JavaScript.
 */
export function form<Result>(
  submit: (door: Door, values: Record<string, string>, files: Record<string, File>) => Promise<Result>,
  options: {
    then: (result: Result, door: Door) => string | Response;
    /** Redirects for errors that another page handles, by error code. */
    redirects?: Record<string, (door: Door) => string>;
  },
) {
  return async (args: ActionFunctionArgs) => {
    const door = toDoor(args);
    const { values, files } = await submittedValues(args);
    try {
      if (args.context.fileProblem) throw args.context.fileProblem;
      const next = options.then(await submit(door, values, files), door);
      return typeof next === 'string' ? redirect(next) : next;
    } catch (error) {
      if (isAnswer(error)) throw error;
      const problem = args.context.describeError(error);
      if (problem.unexpected) args.context.log.error({ err: error }, 'form failed');
      if (problem.kind === 'unauthenticated') throw redirectToLogin(door);
      const elsewhere = options.redirects?.[problem.code];
      if (elsewhere) return redirect(elsewhere(door));
      const { code, params, fields, status } = problem;
      const safeValues = Object.fromEntries(Object.entries(values).filter(([name]) => !isSecret(name)));
      const message = Object.keys(fields).length > 0 ? null : problem.message;
      return data({ ok: false, code, params, fields, message, values: safeValues } satisfies FormFailure, { status });
    }
  };
}
