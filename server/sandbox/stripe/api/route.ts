import type { Work } from '../engine/account-work';
import type { Criteria } from '../engine/queries';
import type { RawGroup } from '../wire/form';
import type { Kind } from '../wire/objects';
import { anything, group, type Input, many, type Rule, readShape, type Shape, text, time, whole } from '../wire/shapes';

export type Method = 'GET' | 'POST' | 'DELETE';
export type Route = {
  method: Method;
  path: string;
  /** The parameters that it knows. */
  accepts: string[];
  /** Answers the object, to be expanded and sent. */
  run(work: Work, params: RawGroup, path: Record<string, string>): Promise<unknown>;
};

/** One address of the API: its parameters (unknown ones are refused) and what it does. */
export function route<S extends Shape>(
  method: Method,
  path: string,
  shape: S,
  run: (work: Work, input: Input<S>, path: Record<string, string>) => Promise<unknown>,
): Route {
  const whole = { ...shape, expand: anything() };
  return {
    method,
    path,
    accepts: Object.keys(whole),
    run: (work, params, names) => run(work, readShape(whole, params) as Input<S>, names),
  };
}

const PAGE = 10;
const LARGEST_PAGE = 100;

const PAGING = {
  limit: whole(1, LARGEST_PAGE),
  starting_after: text(),
  ending_before: text(),
  created: anyTime(),
} satisfies Shape;

function anyTime(): Rule<{ from?: number; to?: number }> {
  const range = group({ gt: time(), gte: time(), lt: time(), lte: time() });
  return {
    read(value, path) {
      if (typeof value === 'string') {
        const at = time().read(value, path);
        return { from: at, to: at };
      }
      const { gt, gte, lt, lte } = range.read(value, path);
      return {
        from: gte ?? (gt === undefined ? undefined : gt + 1),
        to: lte ?? (lt === undefined ? undefined : lt - 1),
      };
    },
  };
}

export type ListOptions<S extends Shape> = {
  filters: S;
  criteria?: (input: Input<S>, path: Record<string, string>) => Criteria;
};

/** A list with Stripe's paging: newest first, a cursor is an object's id. */
export function listRoute<S extends Shape>(
  path: string,
  kind: Kind,
  { filters, criteria = () => ({}) }: ListOptions<S>,
): Route {
  return route('GET', path, { ...PAGING, ...filters }, async (work, input, names) => {
    const said = input as Input<typeof PAGING>;
    const limit = said.limit ?? PAGE;
    const found = await work.list(kind, criteria(input as unknown as Input<S>, names), {
      limit: limit + 1,
      after: said.starting_after,
      before: said.ending_before,
      createdFrom: said.created?.from,
      createdTo: said.created?.to,
    });
    const more = found.length > limit;
    const data = said.ending_before && more ? found.slice(1) : found.slice(0, limit);
    return { object: 'list', data, has_more: more, url: path.replace(/:(\w+)/g, (_, name) => names[name] ?? '') };
  });
}

export const retrieveRoute = (path: string, kind: Kind): Route =>
  route('GET', `${path}/:id`, {}, (work, _, { id = '' }) => work.find(kind, id));

export const strings = () => many(text());
