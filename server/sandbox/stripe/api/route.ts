import type { Work } from '../engine/account-work';
import type { Criteria } from '../engine/queries';
import type { RawGroup } from '../wire/form';
import type { Kind } from '../wire/objects';
import {
  anyValue,
  arrayOf,
  group,
  type Input,
  integer,
  type Rule,
  readShape,
  type Shape,
  text,
  timestamp,
} from '../wire/shapes';

export type Method = 'GET' | 'POST' | 'DELETE';
export type Route = {
  method: Method;
  path: string;
  /** The names of the accepted parameters. */
  accepts: string[];
  /** Returns the object before expansion. */
  run(work: Work, params: RawGroup, path: Record<string, string>): Promise<unknown>;
};

/** Declares an API route. Parameters outside the shape are rejected. */
export function route<S extends Shape>(
  method: Method,
  path: string,
  shape: S,
  run: (work: Work, input: Input<S>, path: Record<string, string>) => Promise<unknown>,
): Route {
  const whole = { ...shape, expand: anyValue() };
  return {
    method,
    path,
    accepts: Object.keys(whole),
    run: (work, params, names) => run(work, readShape(whole, params) as Input<S>, names),
  };
}

const DEFAULT_PAGE = 10;
const MAX_PAGE = 100;

const PAGING = {
  limit: integer(1, MAX_PAGE),
  starting_after: text(),
  ending_before: text(),
  created: timeRange(),
} satisfies Shape;

function timeRange(): Rule<{ from?: number; to?: number }> {
  const range = group({ gt: timestamp(), gte: timestamp(), lt: timestamp(), lte: timestamp() });
  return {
    read(value, path) {
      if (typeof value === 'string') {
        const at = timestamp().read(value, path);
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

/** A list with Stripe's pagination: newest first, object ids as cursors. */
export function listRoute<S extends Shape>(
  path: string,
  kind: Kind,
  { filters, criteria = () => ({}) }: ListOptions<S>,
): Route {
  return route('GET', path, { ...PAGING, ...filters }, async (work, input, names) => {
    const paging = input as Input<typeof PAGING>;
    const limit = paging.limit ?? DEFAULT_PAGE;
    const found = await work.list(kind, criteria(input as unknown as Input<S>, names), {
      limit: limit + 1,
      after: paging.starting_after,
      before: paging.ending_before,
      createdFrom: paging.created?.from,
      createdTo: paging.created?.to,
    });
    const more = found.length > limit;
    const data = paging.ending_before && more ? found.slice(1) : found.slice(0, limit);
    return { object: 'list', data, has_more: more, url: path.replace(/:(\w+)/g, (_, name) => names[name] ?? '') };
  });
}

export const retrieveRoute = (path: string, kind: Kind): Route =>
  route('GET', `${path}/:id`, {}, (work, _, { id = '' }) => work.find(kind, id));

export const textList = () => arrayOf(text());
