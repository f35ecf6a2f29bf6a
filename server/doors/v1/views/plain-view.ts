import { z } from 'zod';
import type { Serializer } from '../../../rest/call';
import { toSnakeCase } from '../../../rest/names';

type Shape<Value> = { [Key in keyof Value]?: z.ZodType };

/**
 * A view with some of a value's fields under their snake_case names. Dates become ISO 8601, and fields inside of fields
 * are named in the same way.
 */
export function plainView<Value extends object>(name: string, shape: Shape<Value>): Serializer<Value> {
  const fields = Object.entries(shape) as [keyof Value & string, z.ZodType][];
  const named = fields.map(([field, schema]) => [toSnakeCase(field), schema] as const);
  return {
    name,
    schema: z.strictObject(Object.fromEntries(named)),
    write: (value) => Object.fromEntries(fields.map(([field]) => [toSnakeCase(field), toPlain(value[field])])),
  };
}

/** Values as JSON has them, with snake_case names. */
export function toPlain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [toSnakeCase(name), toPlain(inner)]));
}

/** What a call answers that has made something. */
export const createdView = plainView<{ id: number }>('Created', { id: z.int() });
