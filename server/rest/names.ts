import type { Call } from './call';
import { fieldsOf } from './inputs';

export const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The legacy name of a procedure's field. */
export function legacyNameOf({ names = {} }: Pick<Call, 'names'>, field: string): string {
  return Object.keys(names).find((name) => names[name] === field) ?? toSnakeCase(field);
}

const cache = new WeakMap<Call, Map<string, string>>();

/** The procedure's fields by their legacy names. */
function fieldsByName(call: Call): Map<string, string> {
  const found = cache.get(call);
  if (found) return found;
  const fields = new Map(Object.keys(fieldsOf(call)).map((field) => [legacyNameOf(call, field), field]));
  cache.set(call, fields);
  return fields;
}

/** The procedure's input, and the keys in `sent` that the REST table does not define for this call. */
export function inputOf(
  call: Call,
  params: Record<string, string>,
  sent: Iterable<[string, unknown]>,
): { input: Record<string, unknown>; unknownKeys: string[] } {
  const fields = fieldsByName(call);
  const input: Record<string, unknown> = { ...call.defaults };
  const unknownKeys: string[] = [];
  for (const [name, value] of sent) {
    const field = fields.get(name);
    if (field === undefined) unknownKeys.push(name);
    else input[field] = value;
  }
  return { input: { ...input, ...params, ...call.fixed }, unknownKeys };
}
