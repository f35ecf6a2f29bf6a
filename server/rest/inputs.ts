import { z } from 'zod';
import { appRouter } from '../trpc/router';
import type { Call, ProcedureName } from './call';

/** A procedure's input schema; null if it has none. */
export function inputSchemaOf(procedure: ProcedureName): z.ZodType | null {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { inputs: unknown[] } }>;
  const input = procedures[procedure]?._def.inputs[0];
  return input instanceof z.ZodType ? input : null;
}

/** An object schema's fields by name. */
export function shapeOf(schema: z.ZodType | null): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>;
  return schema instanceof z.ZodPipe ? shapeOf(schema.out as z.ZodType) : {};
}

/** The schema of what legacy clients send. */
export const schemaOf = (call: Call): z.ZodType | null => call.input ?? inputSchemaOf(call.procedure);

const cache = new WeakMap<Call, Record<string, z.ZodType>>();

/** The fields that a client may send: the procedure's, except those that the path or the table sets. */
export function fieldsOf(call: Call): Record<string, z.ZodType> {
  const found = cache.get(call);
  if (found) return found;
  const pathParams = [...call.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const fixed = [...pathParams, ...Object.keys(call.fixed ?? {})];
  const open = Object.entries(shapeOf(schemaOf(call))).filter(([name]) => !fixed.includes(name));
  const fields = Object.fromEntries(open);
  cache.set(call, fields);
  return fields;
}
