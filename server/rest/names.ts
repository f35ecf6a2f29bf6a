import type { Call } from './call';
import { fieldsOf } from './inputs';

export const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The contract's name of a procedure's field. */
export function nameOf({ names = {} }: Pick<Call, 'names'>, field: string): string {
  return Object.keys(names).find((name) => names[name] === field) ?? snake(field);
}

const known = new WeakMap<Call, Map<string, string>>();

/** The procedure's field of each name that the contract knows for a call. */
function fieldsByName(call: Call): Map<string, string> {
  const found = known.get(call);
  if (found) return found;
  const fields = new Map(Object.keys(fieldsOf(call)).map((field) => [nameOf(call, field), field]));
  known.set(call, fields);
  return fields;
}

/** The input of a call's procedure, and the names in `given` that the contract does not know. */
export function inputOf(
  call: Call,
  params: Record<string, string>,
  given: Iterable<[string, unknown]>,
): { input: Record<string, unknown>; strangers: string[] } {
  const fields = fieldsByName(call);
  const input: Record<string, unknown> = { ...call.defaults };
  const strangers: string[] = [];
  for (const [name, value] of given) {
    const field = fields.get(name);
    if (field === undefined) strangers.push(name);
    else input[field] = value;
  }
  return { input: { ...input, ...params, ...call.fixed }, strangers };
}
