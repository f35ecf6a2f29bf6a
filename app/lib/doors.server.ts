import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import type { Caller } from '~/server/trpc/caller';
import { pathsIn, prefixOf } from './paths';

type Args = LoaderFunctionArgs | ActionFunctionArgs;
export type Params = Record<string, string | undefined>;
/** What a page's door gets to work with. */
export type Door = Pick<Args, 'request' | 'context'> & { api: Caller; params: Params; url: URL };

/** What a form shows when it was refused: sentences by field, one about the whole, and what was typed. */
export type FormFailure = {
  ok: false;
  fields: Record<string, string[]>;
  message: string | null;
  values: Record<string, string>;
};

const doorOf = ({ request, context, params }: Args): Door => ({
  request,
  context,
  params,
  api: context.api,
  url: new URL(request.url),
});

/** Single fetch asks for `/path.data`: what a person would see in the address bar is without it. */
function pageAddress({ url }: Door): string {
  const params = new URLSearchParams(url.search);
  params.delete('_routes');
  const query = params.size > 0 ? `?${params}` : '';
  return url.pathname.replace(/\.data$/, '').replace(/\/_root$/, '/') + query;
}

function toLogin(door: Door): Response {
  const here = pageAddress(door);
  return redirect(pathsIn(prefixOf(here)).login(here));
}

/**
 * A loader: calls procedures and answers their result. Who must log in is sent there and comes back;
 * what does not exist is a 404, what is not theirs says so on the error page.
 */
export function page<Result>(load: (door: Door) => Promise<Result> | Result) {
  return async (args: LoaderFunctionArgs): Promise<Result> => {
    const door = doorOf(args);
    try {
      return await load(door);
    } catch (error) {
      if (error instanceof Response) throw error;
      const problem = args.context.explain(error);
      if (problem.unexpected) throw error;
      if (problem.kind === 'unauthenticated') throw toLogin(door);
      throw data({ message: problem.message, code: problem.code }, { status: problem.status });
    }
  };
}

const isSecret = (name: string) => /password/i.test(name);

/** The text fields of a form; of several with one name the last counts, as a ticked box overrides its hidden 'false'. */
async function typedValues(request: Request): Promise<Record<string, string>> {
  const entries = [...(await request.formData())].filter((e): e is [string, string] => typeof e[1] === 'string');
  return Object.fromEntries(entries);
}

/**
 * An action: hands the typed fields to a procedure. Success goes where `then` says; a refusal comes back with a
 * sentence beside each field and everything that was typed, with and without JavaScript alike.
 */
export function form<Result>(
  work: (door: Door, values: Record<string, string>) => Promise<Result>,
  options: { then: (result: Result, door: Door) => string | Response },
) {
  return async (args: ActionFunctionArgs) => {
    const door = doorOf(args);
    const values = await typedValues(args.request);
    try {
      const next = options.then(await work(door, values), door);
      return typeof next === 'string' ? redirect(next) : next;
    } catch (error) {
      if (error instanceof Response) throw error;
      const problem = args.context.explain(error);
      if (problem.unexpected) args.context.log.error({ err: error }, 'form failed');
      if (problem.kind === 'unauthenticated') throw toLogin(door);
      const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !isSecret(name)));
      const about = Object.keys(problem.fields).length > 0 ? null : problem.message;
      return data({ ok: false, fields: problem.fields, message: about, values: kept } satisfies FormFailure, {
        status: problem.status,
      });
    }
  };
}
