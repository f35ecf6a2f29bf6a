import { z } from 'zod';
import { toSnakeCase } from '../names';

type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : Name;

/**
 * A function that returns the named properties of a view under their snake_case names, as the legacy API writes them.
 */
export function copier<Name extends string>(names: readonly Name[]) {
  const pairs = names.map((name) => [name, toSnakeCase(name)] as const);
  return <View extends Record<Name, unknown>>(view: View): { [Key in Name as SnakeCase<Key>]: View[Key] } => {
    const out: Record<string, unknown> = {};
    for (const [name, legacyName] of pairs) out[legacyName] = view[name];
    return out as { [Key in Name as SnakeCase<Key>]: View[Key] };
  };
}

/** The schema of yes-or-no fields under their snake_case names. */
export function flagShape<Name extends string>(names: readonly Name[]): Record<SnakeCase<Name>, z.ZodBoolean> {
  return Object.fromEntries(names.map((name) => [toSnakeCase(name), z.boolean()])) as Record<
    SnakeCase<Name>,
    z.ZodBoolean
  >;
}
