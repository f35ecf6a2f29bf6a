import { makePgArray } from 'drizzle-orm/pg-core';
import type postgres from 'postgres';

/** Postgres' own types, whose OIDs never change: those of the elements, and of arrays of them. */
const ARRAY_OF = {
  boolean: [16, 1000],
  name: [19, 1003],
  int8: [20, 1016],
  int2: [21, 1005],
  int4: [23, 1007],
  text: [25, 1009],
  json: [114, 199],
  float4: [700, 1021],
  float8: [701, 1022],
  varchar: [1043, 1015],
  date: [1082, 1182],
  timestamp: [1114, 1115],
  timestamptz: [1184, 1185],
  numeric: [1700, 1231],
  uuid: [2950, 2951],
  jsonb: [3802, 3807],
} as const;

type Types = Pick<postgres.Sql['options'], 'parsers' | 'serializers'>;

/**
 * Makes a client read and write arrays. The driver would query their types on each new connection, and no code can
 * catch an error of that statement: a connection lost meanwhile would end the process.
 */
export function addArrayTypes({ parsers, serializers }: Types): void {
  for (const [element, array] of Object.values(ARRAY_OF)) {
    parsers[array] = (text: string) => parseArray(text, parsers[element] ?? ((item) => item));
    serializers[array] = (value: unknown) => (Array.isArray(value) ? makePgArray(value) : value);
  }
}

type Nested<T> = (T | null | Nested<T>)[];

const TOKEN = /[{}]|"((?:[^"\\]|\\.)*)"|[^{},"]+/gs;

/** Reads the text format of arrays, as in `{1,NULL,"a \"b\""}`. */
export function parseArray<T>(text: string, parse: (item: string) => T): Nested<T> {
  const whole: Nested<T> = [];
  const open = [whole];
  for (const [token, quoted] of text.slice(text.indexOf('{')).matchAll(TOKEN)) {
    const current = open.at(-1) as Nested<T>;
    if (token === '{') {
      const inner: Nested<T> = [];
      current.push(inner);
      open.push(inner);
    } else if (token === '}') open.pop();
    else if (quoted !== undefined) current.push(parse(quoted.replaceAll(/\\(.)/gs, '$1')));
    else current.push(token === 'NULL' ? null : parse(token));
  }
  return whole[0] as Nested<T>;
}
