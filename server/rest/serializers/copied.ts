import { z } from 'zod';
import { toSnakeCase } from '../names';

type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : Name;

/** The named properties of a view under their snake_case names, as the legacy API writes them. */
export function copied<View extends object, Name extends keyof View & string>(
  view: View,
  names: readonly Name[],
): { [Key in Name as SnakeCase<Key>]: View[Key] } {
  const entries = names.map((name) => [toSnakeCase(name), view[name]]);
  return Object.fromEntries(entries) as { [Key in Name as SnakeCase<Key>]: View[Key] };
}

/** The schema of yes-or-no fields under their snake_case names. */
export function flagShape<Name extends string>(names: readonly Name[]): Record<SnakeCase<Name>, z.ZodBoolean> {
  return Object.fromEntries(names.map((name) => [toSnakeCase(name), z.boolean()])) as Record<
    SnakeCase<Name>,
    z.ZodBoolean
  >;
}
