import type { inferRouterOutputs } from '@trpc/server';
import { z } from 'zod';
import type { Page } from '../base/paging';
import type { ApiCtx } from '../trpc/init';
import type { AppRouter } from '../trpc/router';

type Outputs = inferRouterOutputs<AppRouter>;
type Rooms = keyof Outputs & string;

/** A procedure's path in the router, such as `episodes.create`. */
export type ProcedureName = { [Room in Rooms]: `${Room}.${keyof Outputs[Room] & string}` }[Rooms];
export type OutputOf<Name extends ProcedureName> = Name extends `${infer Room extends Rooms}.${infer Verb}`
  ? Verb extends keyof Outputs[Room]
    ? Outputs[Room][Verb]
    : never
  : never;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * `none`: the header is ignored. `optional`: anonymous without it. `auth`: 401 without it.
 * `owner`: like `auth`, and 404 for resources of another user.
 */
export type Access = 'none' | 'optional' | 'auth' | 'owner';

/** The part of the request's context that serializers get. */
export type SerializerContext = Pick<ApiCtx, 'urls' | 'translate' | 'actor'>;

/** Turns a procedure's output into the legacy format; the schema describes that format in the OpenAPI document. */
export type Serializer<Value> = {
  /** The schema's name in the OpenAPI document. */
  name: string;
  schema: z.ZodType;
  write(value: Value, ctx: SerializerContext): unknown;
};

export function serializer<Value, Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  write: (value: Value, ctx: SerializerContext) => z.output<Schema>,
): { name: string; schema: Schema; write(value: Value, ctx: SerializerContext): z.output<Schema> } {
  return { name, schema, write };
}

/** An unpaged list. */
export function listOf<Value>(one: Serializer<Value>): Serializer<readonly Value[]> {
  return {
    name: `${one.name}List`,
    schema: z.array(one.schema),
    write: (values, ctx) => values.map((value) => one.write(value, ctx)),
  };
}

/** One page of a list; `pageEnvelope` adds the count and the links. */
export function paged<Value>(one: Serializer<Value>): Serializer<Page<Value>> & { paged: true } {
  const link = z.url().nullable();
  return {
    name: `${one.name}Page`,
    paged: true,
    schema: z.object({ count: z.int(), next: link, previous: link, results: z.array(one.schema) }),
    write: (page, ctx) => page.items.map((value) => one.write(value, ctx)),
  };
}

export type CallOptions<Value> = {
  access: Access;
  /** One line for the documentation. */
  summary: string;
  /** Undefined: the response has no body (204). */
  out?: Serializer<Value> & { paged?: true };
  /** Status of the response; 200 by default. */
  status?: 200 | 201 | 202;
  /** For calls whose status depends on the result. */
  statusOf?: (value: Value) => 200 | 201;
  /** Tells calls of one procedure apart in the OpenAPI document. */
  variant?: string;
  /** Input that follows from the path, such as the kind. */
  fixed?: Record<string, string>;
  /** Legacy names that differ from the field's name in snake_case. */
  names?: Record<string, string>;
  /** Fields that legacy clients know, if the procedure has more. */
  input?: z.ZodObject;
  /** Values for fields that the client does not send. */
  defaults?: Record<string, unknown>;
  /**
   * How long equal requests of one caller may get the same answer, in milliseconds. Only for reads whose fields all
   * depend on nothing but the request and rows whose changes are announced (`announceChange`, decision 0121).
   */
  keptFor?: number;
};

/** One row of the table: a legacy path and its procedure. */
export type Call = Omit<CallOptions<unknown>, 'out'> & {
  method: Method;
  /** The path below `/api/`, such as `podcasts/:id/`. */
  path: string;
  procedure: ProcedureName;
  out: (Serializer<unknown> & { paged?: true }) | null;
};

/** Creates a row; the types check that the serializer accepts the procedure's output. */
export function call<Name extends ProcedureName>(
  route: `${Method} ${string}`,
  procedure: Name,
  options: CallOptions<OutputOf<Name>>,
): Call {
  const [method, path] = route.split(' ') as [Method, string];
  return {
    ...(options as unknown as CallOptions<unknown>),
    method,
    path,
    procedure,
    out: (options.out as Call['out']) ?? null,
  };
}
