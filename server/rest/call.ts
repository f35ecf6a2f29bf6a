import type { inferRouterOutputs } from '@trpc/server';
import { z } from 'zod';
import type { Page } from '../paging';
import type { ApiCtx } from '../trpc/init';
import type { AppRouter } from '../trpc/router';

type Outputs = inferRouterOutputs<AppRouter>;
type Rooms = keyof Outputs & string;

/** `episodes.create`: a procedure of the router, by its path. */
export type ProcedureName = { [Room in Rooms]: `${Room}.${keyof Outputs[Room] & string}` }[Rooms];
export type OutputOf<Name extends ProcedureName> = Name extends `${infer Room extends Rooms}.${infer Verb}`
  ? Verb extends keyof Outputs[Room]
    ? Outputs[Room][Verb]
    : never
  : never;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * `none`: the header is ignored. `optional`: anonymous without it. `auth`: 401 without it.
 * `owner`: besides, what belongs to somebody else is not there (404).
 */
export type Access = 'none' | 'optional' | 'auth' | 'owner';

/** What a serializer knows of who gets the answer. */
export type Reader = Pick<ApiCtx, 'urls' | 'translate' | 'actor'>;

/** How a procedure's output is written for legacy clients; the schema says the same to the OpenAPI document. */
export type Serializer<Value> = {
  /** Of the schema, in the OpenAPI document. */
  name: string;
  schema: z.ZodType;
  write(value: Value, reader: Reader): unknown;
};

export function serializer<Value, Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  write: (value: Value, reader: Reader) => z.output<Schema>,
): { name: string; schema: Schema; write(value: Value, reader: Reader): z.output<Schema> } {
  return { name, schema, write };
}

/** A list without pages. */
export function listOf<Value>(one: Serializer<Value>): Serializer<readonly Value[]> {
  return {
    name: `${one.name}List`,
    schema: z.array(one.schema),
    write: (values, reader) => values.map((value) => one.write(value, reader)),
  };
}

/** A page of a list; the door puts the count and the links around what this writes. */
export function paged<Value>(one: Serializer<Value>): Serializer<Page<Value>> & { paged: true } {
  const link = z.url().nullable();
  return {
    name: `${one.name}Page`,
    paged: true,
    schema: z.object({ count: z.int(), next: link, previous: link, results: z.array(one.schema) }),
    write: (page, reader) => page.items.map((value) => one.write(value, reader)),
  };
}

export type Options<Value> = {
  access: Access;
  /** One line, for the documents. */
  about: string;
  /** Nothing: the answer has no body (204). */
  out?: Serializer<Value> & { paged?: true };
  /** Of the answer; 200 unless told otherwise. */
  status?: 200 | 201 | 202;
  /** Where the answer's status depends on what happened. */
  statusOf?: (value: Value) => 200 | 201;
  /** Input that the path decides, such as the kind. */
  fixed?: Record<string, string>;
  /** Legacy names that are not the snake_case of the procedure's own. */
  names?: Record<string, string>;
  /** Input of the procedure when the client sends none. */
  defaults?: Record<string, unknown>;
};

/** One row of the table: a legacy path and the procedure that answers it. */
export type Call = Omit<Options<unknown>, 'out'> & {
  method: Method;
  /** Below `/api/`, such as `podcasts/:id/`. */
  path: string;
  procedure: ProcedureName;
  out: (Serializer<unknown> & { paged?: true }) | null;
};

/** Writes a row, holding the serializer against what the procedure gives. */
export function call<Name extends ProcedureName>(
  route: `${Method} ${string}`,
  procedure: Name,
  options: Options<OutputOf<Name>>,
): Call {
  const [method, path] = route.split(' ') as [Method, string];
  return {
    ...(options as unknown as Options<unknown>),
    method,
    path,
    procedure,
    out: (options.out as Call['out']) ?? null,
  };
}
