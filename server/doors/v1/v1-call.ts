import type { Scope } from '~/db/values/api-scopes';
import type { OutputOf, ProcedureName, Serializer } from '../../rest/call';

export type V1Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** The chapters of the documentation, in its order. */
export const CHAPTERS = [
  'shows',
  'episodes',
  'chapters',
  'transcripts',
  'uploads',
  'subscribers',
  'contacts',
  'editions',
  'coupons',
  'money',
  'statistics',
  'imports',
  'insertions',
  'webhooks',
] as const;
export type Chapter = (typeof CHAPTERS)[number];

type Value<Name extends ProcedureName> = OutputOf<Name>;

/** A part of a list that is too long for numbered pages. `next`: the cursor of the part after it. */
export type Walked = { items: readonly unknown[]; total: number; next: string | null };

export type V1Options<Output> = {
  chapter: Chapter;
  scope: Scope;
  /** A field whose value decides which scope is enough; `scope` for values that are absent here. */
  scopeBy?: { field: string; scopes: Partial<Record<string, Scope>> };
  /** One line for the documentation, in English. */
  summary: string;
  /** Undefined: the answer has no body (204). */
  out?: Serializer<Output>;
  /** The output is a page of a list, and `out` writes one of its items. */
  isPaged?: boolean;
  /** The part of the output that is the page. */
  itemsIn?: string;
  /** For a procedure that has `limit`, and a cursor `after` of its own: the page that it answers. */
  walk?: (output: never) => Walked;
  /** Whether a text is one of the cursors that `walk` gives, for a list that is asked for with this query. */
  isCursor?: (cursor: string, query: URLSearchParams) => boolean;
  /** Of the body; BODY_LIMITS.call by default. */
  maxBytes?: number;
  /** Making it twice gives the same end state: a call that is repeated with its Idempotency-Key is made again. */
  isRepeatable?: true;
  /** 200 by default. */
  status?: 200 | 201 | 202;
  /** Names that differ from the field's name in snake_case, by name. */
  names?: Record<string, string>;
  /** The only fields of the procedure that the call has; by default all of them. */
  only?: readonly string[];
  /** Input that the call sets. */
  fixed?: Record<string, unknown>;
  /** The call's input, if the procedure's has another form. Applied to what names and paths have made. */
  toInput?: (input: Record<string, unknown>) => unknown;
  /** For a procedure that also lists the parts of shows of other creators: whose a part is. */
  creatorOf?: (item: never) => number;
  /** The procedure that tells whether the show is the caller's, if a list of its parts is empty. */
  ifEmpty?: ProcedureName;
  /** How long equal requests of one caller may get the same answer, in milliseconds, as in REST (server/rest/call.ts). */
  keptFor?: number;
  /** The documentation has programs that make the call. */
  isExample?: true;
  /** A body for the examples of the documentation. */
  example?: Record<string, unknown>;
  /** Parameters of the query for its examples. */
  exampleQuery?: Record<string, string>;
};

/** One row of the table: a path of the API and the procedure that answers. */
export type V1Call = Omit<V1Options<never>, 'out'> & {
  method: V1Method;
  /** Below `/v1`, such as `/shows/:id`. */
  path: string;
  procedure: ProcedureName;
  out: Serializer<unknown> | null;
};

type ItemOf<Output> = Output extends { items: (infer Item)[] }
  ? Item
  : Output extends readonly (infer Item)[]
    ? Item
    : never;

/** Creates a row; the types check that the view accepts the procedure's output. */
export function call<Name extends ProcedureName>(
  route: `${V1Method} /${string}`,
  procedure: Name,
  options: V1Options<Value<Name>> & { isPaged?: false },
): V1Call {
  return rowOf(route, procedure, options);
}

/** Creates a row whose answer is a page of a list. @param options `out` writes one item */
export function listCall<Name extends ProcedureName>(
  route: `GET /${string}`,
  procedure: Name,
  options: Omit<V1Options<ItemOf<Value<Name>>>, 'isPaged'>,
): V1Call {
  return rowOf(route, procedure, { ...options, isPaged: true });
}

function rowOf(route: string, procedure: ProcedureName, options: object): V1Call {
  const [method, path] = route.split(' ') as [V1Method, string];
  return { ...(options as V1Options<never>), out: (options as V1Call).out ?? null, method, path, procedure };
}
