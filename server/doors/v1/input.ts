import type { z } from 'zod';
import { inputSchemaOf, shapeOf } from '../../rest/inputs';
import { toSnakeCase } from '../../rest/names';
import { unknownFields } from './errors';
import type { V1Call } from './v1-call';

/** What the code calls a product is a show for people. */
const SHARED_NAMES: Record<string, string> = { productId: 'show_id', feedLength: 'feed_length' };
const PAGING = ['page', 'pageSize'] as const;
type Paging = (typeof PAGING)[number];

/** The fields by which a procedure is asked for a page. */
export function pagingOf({ procedure }: V1Call): Paging[] {
  const shape = shapeOf(inputSchemaOf(procedure));
  return PAGING.filter((name) => name in shape);
}

/** The name of a procedure's field in the API. */
export function v1NameOf({ names = {} }: Pick<V1Call, 'names'>, field: string): string {
  // a client may name a field `constructor`
  const shared = Object.hasOwn(SHARED_NAMES, field) ? SHARED_NAMES[field] : undefined;
  return Object.keys(names).find((name) => names[name] === field) ?? shared ?? toSnakeCase(field);
}

const cache = new WeakMap<V1Call, Record<string, { field: string; schema: z.ZodType }>>();

/** The fields that a client may send, by their names in the API: the procedure's, except those of the path and the table. */
export function v1Fields(call: V1Call): Record<string, { field: string; schema: z.ZodType }> {
  const found = cache.get(call);
  if (found) return found;
  const fixed = Object.keys(call.fixed ?? {});
  const inPath = [...call.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  const shape = Object.entries(shapeOf(inputSchemaOf(call.procedure)));
  const open = shape
    .filter(([field]) => !fixed.includes(field) && !(call.isPaged && PAGING.some((name) => name === field)))
    .filter(([field]) => call.only?.includes(field) ?? true)
    .map(([field, schema]) => [v1NameOf(call, field), { field, schema }] as const)
    .filter(([name]) => !inPath.includes(name));
  const fields = Object.fromEntries(open);
  cache.set(call, fields);
  return fields;
}

/**
 * The procedure's input. @param sent what the client sent: the query of a read, the body of a write
 * @throws api.unknown_fields
 */
export function v1Input(
  call: V1Call,
  params: Record<string, string>,
  sent: Iterable<readonly [string, unknown]>,
): Record<string, unknown> {
  const fields = v1Fields(call);
  const input: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [name, value] of sent) {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!known) unknown.push(name);
    else input[known.field] = toFields(value);
  }
  if (unknown.length > 0) throw unknownFields(unknown);
  for (const [name, value] of Object.entries(params)) input[fieldOfParam(call, name)] = value;
  return { ...input, ...call.fixed };
}

const DEEPEST = 6;

/** Names inside of a value, as procedures have them: `start_ms` → `startMs`. */
function toFields(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => toFields(item, depth + 1));
  const named = Object.entries(value).map(([name, inner]) => [toCamelCase(name), toFields(inner, depth + 1)] as const);
  // an own `__proto__` stays one
  return Object.fromEntries(named);
}

const toCamelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `show_id` → `productId`. */
export function fieldOfParam(call: V1Call, name: string): string {
  const fields = Object.keys(shapeOf(inputSchemaOf(call.procedure)));
  return fields.find((field) => v1NameOf(call, field) === name) ?? name;
}
