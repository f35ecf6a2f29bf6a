import type { Call } from './call';

export const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The procedure's name for what a client calls `name`; null where the contract knows no such name. */
function fieldOf({ names = {}, fixed = {} }: Call, params: Record<string, string>, name: string): string | null {
  const renamed = Object.hasOwn(names, name) ? (names[name] as string) : null;
  const field = renamed ?? camel(name);
  if (renamed === null && (/[A-Z]/.test(name) || Object.values(names).includes(field))) return null;
  // what the path says is no field, whatever the body says
  return Object.hasOwn(fixed, field) || Object.hasOwn(params, field) ? null : field;
}

/** The contract's name of a procedure's field. */
export function nameOf({ names = {} }: Pick<Call, 'names'>, field: string): string {
  return Object.keys(names).find((name) => names[name] === field) ?? snake(field);
}

/** The input of a call's procedure, and the names in `given` that the contract does not know. */
export function inputOf(
  call: Call,
  params: Record<string, string>,
  given: Iterable<[string, unknown]>,
): { input: Record<string, unknown>; strangers: string[] } {
  const strangers: string[] = [];
  const known: [string, unknown][] = [];
  for (const [name, value] of given) {
    const field = fieldOf(call, params, name);
    if (field === null) strangers.push(name);
    else known.push([field, value]);
  }
  // fromEntries: a field named __proto__ becomes a field
  return { input: { ...call.defaults, ...Object.fromEntries(known), ...params, ...call.fixed }, strangers };
}
