import type { Work } from '../engine/account-work';
import type { Criteria } from '../engine/queries';
import { missingResource } from '../wire/faults';
import type { Raw, RawGroup } from '../wire/form';
import type { Kind } from '../wire/objects';
import {
  arrayOf,
  group,
  type Input,
  integer,
  namesIn,
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
  /** The names at every depth, such as `items[][price]`. */
  parameters: string[];
  /** Returns the object before expansion. */
  run(work: Work, params: RawGroup, path: Record<string, string>): Promise<unknown>;
};

/** Applied after the call, when its result is known: see `expand`. */
const EXPAND: Rule<Raw> = { read: (value) => value };

/** Declares an API route. Parameters outside the shape are rejected. */
export function route<S extends Shape>(
  method: Method,
  path: string,
  shape: S,
  run: (work: Work, input: Input<S>, path: Record<string, string>) => Promise<unknown>,
): Route {
  const whole = { ...shape, expand: EXPAND };
  return {
    method,
    path,
    accepts: Object.keys(whole),
    parameters: namesIn(whole),
    run: (work, params, names) => run(work, readShape(whole, params) as Input<S>, names),
  };
}

const DEFAULT_PAGE = 10;
const MAX_PAGE = 100;

const CURSORS = {
  limit: integer(1, MAX_PAGE),
  starting_after: text(),
  ending_before: text(),
} satisfies Shape;
const PAGING = { ...CURSORS, created: timeRange() } satisfies Shape;

function timeRange(): Rule<{ from?: number; to?: number }> {
  const range = group({ gt: timestamp(), gte: timestamp(), lt: timestamp(), lte: timestamp() });
  return {
    parts: ['', ...(range.parts ?? [])],
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
    return { object: 'list', data, has_more: more, url: urlOf(path, names) };
  });
}

type SubList = { parent: Kind; field: string };

/** The list inside an object, such as a charge's refunds: objects whose field contains its id. */
export function subListRoute(path: string, kind: Kind, { parent, field }: SubList): Route {
  const list = listRoute(path, kind, {
    filters: {},
    criteria: (_, names) => ({ fields: { [field]: names[parent] ?? '' } }),
  });
  return {
    ...list,
    async run(work, params, names) {
      await work.find(parent, names[parent] ?? '');
      return list.run(work, params, names);
    },
  };
}

type Parts<S extends Shape> = {
  shape?: S;
  find(work: Work, input: Input<S>, names: Record<string, string>): Promise<{ id: string }[]>;
};

/** A list that is part of an object, such as the lines of an invoice. Ids are the cursors. */
export function partsRoute<S extends Shape>(path: string, { shape, find }: Parts<S>): Route {
  return route('GET', path, { ...CURSORS, ...shape }, async (work, whole, names) => {
    const all = await find(work, whole as unknown as Input<S>, names);
    const input = whole as Input<typeof CURSORS>;
    const positionOf = (id: string, param: string) => {
      const position = all.findIndex((part) => part.id === id);
      if (position === -1) throw missingResource('object', id, param);
      return position;
    };
    const limit = input.limit ?? DEFAULT_PAGE;
    const { starting_after: after, ending_before: before } = input;
    const from = after === undefined ? 0 : positionOf(after, 'starting_after') + 1;
    const to = before === undefined ? all.length : positionOf(before, 'ending_before');
    const window = all.slice(from, to);
    const data = before === undefined ? window.slice(0, limit) : window.slice(-limit);
    return { object: 'list', data, has_more: window.length > limit, url: urlOf(path, names) };
  });
}

const urlOf = (path: string, names: Record<string, string>) => path.replace(/:(\w+)/g, (_, name) => names[name] ?? '');

export const retrieveRoute = (path: string, kind: Kind): Route =>
  route('GET', `${path}/:id`, {}, (work, _, { id = '' }) => work.find(kind, id));

export const textList = () => arrayOf(text());
