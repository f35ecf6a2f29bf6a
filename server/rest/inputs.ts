import { z } from 'zod';
import { appRouter } from '../trpc/router';
import type { Call, ProcedureName } from './call';

/** The schema that a procedure checks its input with; null where it takes none. */
export function inputSchemaOf(procedure: ProcedureName): z.ZodType | null {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { inputs: unknown[] } }>;
  const input = procedures[procedure]?._def.inputs[0];
  return input instanceof z.ZodType ? input : null;
}

/** The fields of an input, by name. */
export function shapeOf(schema: z.ZodType | null): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>;
  return schema instanceof z.ZodPipe ? shapeOf(schema.out as z.ZodType) : {};
}

const known = new WeakMap<Call, Record<string, z.ZodType>>();

/** The fields that a client may send in a call: those of the procedure that neither the path nor the table decides. */
export function fieldsOf(call: Call): Record<string, z.ZodType> {
  const found = known.get(call);
  if (found) return found;
  const decided = [...call.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const fixed = [...decided, ...Object.keys(call.fixed ?? {})];
  const open = Object.entries(shapeOf(inputSchemaOf(call.procedure))).filter(([name]) => !fixed.includes(name));
  const fields = Object.fromEntries(open);
  known.set(call, fields);
  return fields;
}
