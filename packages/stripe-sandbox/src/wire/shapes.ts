import { invalidRequest, missingParameter, unknownParameter } from './faults';
import { listOf, type Raw, type RawGroup } from './form';

/**
 * Parses a parameter, or throws Stripe's error for it. `parts`: the names inside a group or a list, such as `[amount]`.
 */
export type Rule<T> = { read(value: Raw, path: string): T; required?: boolean; parts?: string[] };
export type RequiredRule<T> = Rule<T> & { required: true };
export type Shape = Record<string, Rule<unknown>>;
type RequiredNames<S extends Shape> = { [K in keyof S]: S[K] extends RequiredRule<unknown> ? K : never }[keyof S];
type RuleValue<R> = R extends Rule<infer T> ? T : never;
export type Input<S extends Shape> = { [K in RequiredNames<S>]: RuleValue<S[K]> } & {
  [K in Exclude<keyof S, RequiredNames<S>>]?: RuleValue<S[K]>;
};

const nestedPath = (path: string, name: string) => (path === '' ? name : `${path}[${name}]`);
const invalid = (path: string, what: string) => invalidRequest(`Invalid ${what}: ${path}`, { param: path });

/** The prefix on statements has up to 10 characters, and with `* ` and the suffix 22 ("Statement descriptors"). */
export const STATEMENT_PREFIX = 10;
export const statementSuffix = () => text(22 - STATEMENT_PREFIX - 2);

export function text(longest = 5000): Rule<string> {
  return {
    read(value, path) {
      if (typeof value !== 'string') throw invalid(path, 'string');
      if (value.length > longest)
        throw invalidRequest(`Invalid string: ${path} must be at most ${longest} characters`, {
          code: 'parameter_invalid_string_blank',
          param: path,
        });
      return value;
    },
  };
}

export function integer(least = Number.MIN_SAFE_INTEGER, most = 99_999_999_999): Rule<number> {
  return {
    read(value, path) {
      if (typeof value !== 'string' || !/^-?\d+$/.test(value))
        throw invalidRequest(`Invalid integer: ${JSON.stringify(value)}`, {
          code: 'parameter_invalid_integer',
          param: path,
        });
      const number = Number(value);
      if (number < least || number > most)
        throw invalidRequest(`This value must be from ${least} to ${most}.`, {
          code: 'parameter_invalid_integer',
          param: path,
        });
      return number;
    },
  };
}

export const timestamp = (): Rule<number> => integer(0);

/** A number with at most two decimals. */
export function decimal(least: number, most: number): Rule<number> {
  return {
    read(value, path) {
      const number = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
      if (!(number >= least && number <= most))
        throw invalidRequest(`Invalid decimal: ${JSON.stringify(value)}`, { param: path });
      if (!/^\d*\.?\d{0,2}$/.test(String(value)))
        throw invalidRequest(`Invalid decimal: ${value}; must contain at maximum two decimal places.`, { param: path });
      return number;
    },
  };
}

/** The currencies of this sandbox, with Stripe's minimum for a card payment ("Minimum and maximum charge amounts"). */
export const MIN_AMOUNTS: Record<string, number> = { eur: 50, usd: 50, gbp: 30 };

/** A currency code, in any case. */
export function currency(): Rule<string> {
  const known = Object.keys(MIN_AMOUNTS);
  return {
    read(value, path) {
      const code = typeof value === 'string' ? value.toLowerCase() : '';
      if (known.includes(code)) return code;
      const message = `Invalid currency: ${JSON.stringify(value)}. This sandbox supports these currencies: ${known.join(', ')}`;
      throw invalidRequest(message, { param: path });
    },
  };
}

/** An absolute HTTP address. Placeholders such as `{CHECKOUT_SESSION_ID}` are kept. */
export function httpUrl(): Rule<string> {
  return {
    read(value, path) {
      if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || value.length > 5000 || !URL.canParse(value))
        throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: path });
      return value;
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

export function oneOf<const Words extends readonly string[]>(...words: Words): Rule<Words[number]> {
  return {
    read(value, path) {
      if (typeof value !== 'string' || !words.includes(value))
        throw invalidRequest(`Invalid ${path}: must be one of ${words.join(', ')}`, { param: path });
      return value;
    },
  };
}

export function arrayOf<T>(rule: Rule<T>): Rule<T[]> {
  return {
    parts: rule.parts?.map((part) => `[]${part}`),
    read(value, path) {
      if (value === '') return [];
      const list = listOf(value);
      if (!list) throw invalidRequest('Invalid array', { param: path });
      return list.map((item, i) => rule.read(item, nestedPath(path, String(i))));
    },
  };
}

export function group<S extends Shape>(shape: S): Rule<Input<S>> {
  return { parts: namesIn(shape, (name) => `[${name}]`), read: (value, path) => readShape(shape, value, path) };
}

/** The names of all parameters of a shape, at every depth: `items[][price]`. */
export function namesIn(shape: Shape, label = (name: string) => name): string[] {
  return Object.entries(shape).flatMap(([name, { parts = [''] }]) => parts.map((part) => `${label(name)}${part}`));
}

/** An empty string clears the value. */
export function clearable<T>(rule: Rule<T>): Rule<T | null> {
  return { ...rule, read: (value, path) => (value === '' ? null : rule.read(value, path)) };
}

/** Metadata: an empty value removes its key. */
export function metadata(): Rule<Record<string, string>> {
  return {
    read(value, path) {
      if (value === '') return {};
      if (typeof value !== 'object') throw invalidRequest('Invalid object', { param: path });
      const entries = Object.entries(value);
      if (entries.length > 50) throw invalidRequest('Metadata may hold up to 50 keys.', { param: path });
      for (const [name, text] of entries) {
        if (name.length > 40) throw invalidRequest('Metadata keys may have up to 40 characters.', { param: path });
        if (typeof text !== 'string' || text.length > 500)
          throw invalidRequest('Metadata values may have up to 500 characters.', { param: nestedPath(path, name) });
      }
      return value as Record<string, string>;
    },
  };
}

export const required = <T>(rule: Rule<T>): RequiredRule<T> => ({ ...rule, required: true });

/**
 * Parses a group of parameters. Unknown parameters and missing required ones are rejected; absent ones have no key, so
 * they overwrite nothing.
 */
export function readShape<S extends Shape>(shape: S, value: Raw, path = ''): Input<S> {
  if (typeof value !== 'object') throw invalidRequest('Invalid object', { param: path });
  const input: RawGroup = value;
  for (const name of Object.keys(input)) if (!(name in shape)) throw unknownParameter(nestedPath(path, name));
  const read = Object.entries(shape).flatMap(([name, rule]) => {
    const raw = input[name];
    if (raw !== undefined && (raw !== '' || !rule.required)) return [[name, rule.read(raw, nestedPath(path, name))]];
    if (rule.required) throw missingParameter(nestedPath(path, name));
    return [];
  });
  return Object.fromEntries(read) as Input<S>;
}

/** Metadata after a change: an empty value removes its key. */
export function mergeMetadata(before: Record<string, string> | null, change: Record<string, string> | undefined) {
  const merged = { ...before, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
}
