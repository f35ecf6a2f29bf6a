import { missingParameter, refused, unknownParameter } from './faults';
import { listOf, type Raw, type RawGroup } from './form';

/** Reads one parameter, or refuses it the way Stripe does. */
export type Rule<T> = { read(value: Raw, path: string): T; needed?: boolean };
export type Needed<T> = Rule<T> & { needed: true };
export type Shape = Record<string, Rule<unknown>>;
type NeededNames<S extends Shape> = { [K in keyof S]: S[K] extends Needed<unknown> ? K : never }[keyof S];
type Value<R> = R extends Rule<infer T> ? T : never;
export type Input<S extends Shape> = { [K in NeededNames<S>]: Value<S[K]> } & {
  [K in Exclude<keyof S, NeededNames<S>>]?: Value<S[K]>;
};

const inner = (path: string, name: string) => (path === '' ? name : `${path}[${name}]`);
const invalid = (path: string, what: string) => refused(`Invalid ${what}: ${path}`, { param: path });

export function text(longest = 5000): Rule<string> {
  return {
    read(value, path) {
      if (typeof value !== 'string') throw invalid(path, 'string');
      if (value.length > longest)
        throw refused(`Invalid string: ${path} must be at most ${longest} characters`, {
          code: 'parameter_invalid_string_blank',
          param: path,
        });
      return value;
    },
  };
}

export function whole(least = Number.MIN_SAFE_INTEGER, most = 99_999_999_999): Rule<number> {
  return {
    read(value, path) {
      if (typeof value !== 'string' || !/^-?\d+$/.test(value))
        throw refused(`Invalid integer: ${JSON.stringify(value)}`, { code: 'parameter_invalid_integer', param: path });
      const number = Number(value);
      if (number < least || number > most)
        throw refused(`This value must be from ${least} to ${most}.`, {
          code: 'parameter_invalid_integer',
          param: path,
        });
      return number;
    },
  };
}

export const time = (): Rule<number> => whole(0);

export function decimal(least: number, most: number): Rule<number> {
  return {
    read(value, path) {
      const number = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
      if (!(number >= least && number <= most))
        throw refused(`Invalid decimal: ${JSON.stringify(value)}`, { param: path });
      return number;
    },
  };
}

export function flag(): Rule<boolean> {
  return {
    read(value, path) {
      if (value !== 'true' && value !== 'false') throw invalid(path, 'boolean');
      return value === 'true';
    },
  };
}

export function one<const Words extends readonly string[]>(...words: Words): Rule<Words[number]> {
  return {
    read(value, path) {
      if (typeof value !== 'string' || !words.includes(value))
        throw refused(`Invalid ${path}: must be one of ${words.join(', ')}`, { param: path });
      return value;
    },
  };
}

export function many<T>(rule: Rule<T>): Rule<T[]> {
  return {
    read(value, path) {
      if (value === '') return [];
      const list = listOf(value);
      if (!list) throw refused('Invalid array', { param: path });
      return list.map((item, i) => rule.read(item, inner(path, String(i))));
    },
  };
}

export function group<S extends Shape>(shape: S): Rule<Input<S>> {
  return { read: (value, path) => readShape(shape, value, path) };
}

/** '' takes the value away. */
export function clearable<T>(rule: Rule<T>): Rule<T | null> {
  return { read: (value, path) => (value === '' ? null : rule.read(value, path)) };
}

/** Text under names of the caller's; '' takes one away, and '' for all takes all away. */
export function metadata(): Rule<Record<string, string>> {
  return {
    read(value, path) {
      if (value === '') return {};
      if (typeof value !== 'object') throw refused('Invalid object', { param: path });
      const entries = Object.entries(value);
      if (entries.length > 50) throw refused('Metadata may hold up to 50 keys.', { param: path });
      for (const [name, said] of entries) {
        if (name.length > 40) throw refused('Metadata keys may have up to 40 characters.', { param: path });
        if (typeof said !== 'string' || said.length > 500)
          throw refused('Metadata values may have up to 500 characters.', { param: inner(path, name) });
      }
      return value as Record<string, string>;
    },
  };
}

/** Takes whatever is said: for parts that have no effect here. */
export const anything = (): Rule<Raw> => ({ read: (value) => value });

export const needed = <T>(rule: Rule<T>): Needed<T> => ({ ...rule, needed: true });

/** Reads a group of parameters; unknown and missing ones are refused. */
export function readShape<S extends Shape>(shape: S, value: Raw, path = ''): Input<S> {
  if (typeof value !== 'object') throw refused('Invalid object', { param: path });
  const given: RawGroup = value;
  for (const name of Object.keys(given)) if (!(name in shape)) throw unknownParameter(inner(path, name));
  const read = Object.entries(shape).map(([name, rule]) => {
    const said = given[name];
    if (said === undefined || (said === '' && rule.needed)) {
      if (rule.needed) throw missingParameter(inner(path, name));
      return [name, undefined];
    }
    return [name, rule.read(said, inner(path, name))];
  });
  return Object.fromEntries(read) as Input<S>;
}

/** Metadata after a change: new names join, '' removes. */
export function mergedMetadata(before: Record<string, string> | null, change: Record<string, string> | undefined) {
  const merged = { ...before, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
}
