import {
  type AnyColumn,
  Column,
  DrizzleQueryError,
  eq,
  fillPlaceholders,
  getTableColumns,
  is,
  type Placeholder,
  type Query,
  type SQL,
  sql,
  Table,
} from 'drizzle-orm';
import type { Database, Transaction } from '../client';

/**
 * Values of a query. In a query that is built once, placeholders replace values that are neither null nor undefined.
 */
export type Inputs<Values> = { [Name in keyof Values]: Values[Name] | Placeholder };

type Select = PromiseLike<unknown[]> & { toSQL(): Query; _: { selectedFields: Record<string, unknown> } };
type Prepared<Row> = { text: string; params: unknown[]; toRow: (cells: unknown[]) => Row };

/**
 * A select whose SQL text and row mapping are computed once, not for each request (decision 0113). Drizzle runs it as
 * usual in a transaction.
 * @param build returns the query. It may depend on `shape`, and on which values are given, but not on the values
 * themselves.
 *   Tables are inner joined; computed columns have the type that the driver returns.
 */
export function preparedSelect<Values extends object, Shape extends unknown[], Built extends Select>(
  build: (db: Database | Transaction, values: Inputs<Values>, ...shape: Shape) => Built,
) {
  type Row = Awaited<Built>[number];
  const kept = new Map<string, Prepared<Row>>();
  return async (db: Database | Transaction, values: Values, ...shape: Shape): Promise<Row[]> => {
    if (!('$client' in db)) return [...(await build(db, values, ...shape))];
    const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
    const nulls = Object.keys(values).filter((name) => values[name as keyof Values] === null);
    const key = JSON.stringify([shape, given.map(([name]) => name), nulls]);
    const found = kept.get(key) ?? prepareQuery<Row>(build(db, withPlaceholders(values, given), ...shape));
    kept.set(key, found);
    return runPrepared(db, found, values);
  };
}

/** The condition if the value is given, otherwise undefined. */
export function equalIfGiven(column: AnyColumn, value: unknown): SQL | undefined {
  return value === undefined ? undefined : eq(column, value);
}

function withPlaceholders<Values extends object>(values: Values, given: [string, unknown][]): Inputs<Values> {
  return { ...values, ...Object.fromEntries(given.map(([name]) => [name, sql.placeholder(name)])) };
}

function prepareQuery<Row>(query: Select): Prepared<Row> {
  const { sql: text, params } = query.toSQL();
  // a missing row would be an object of nulls
  if (/\b(?:left|right|full) join\b/.test(text)) throw new Error('a prepared select has inner joins only');
  return { text, params, toRow: rowMapper<Row>(query._.selectedFields) };
}

async function runPrepared<Row>(db: Database, { text, params, toRow }: Prepared<Row>, values: object): Promise<Row[]> {
  const filled = fillPlaceholders(params, values as Record<string, unknown>);
  try {
    const rows = await db.$client.unsafe(text, filled as never[]).values();
    return rows.map(toRow);
  } catch (error) {
    throw new DrizzleQueryError(text, filled, error as Error);
  }
}

type Cell = { group: string | null; name: string; decode: ((value: unknown) => unknown) | null };

/** Assigns each value of a row to its field, in the order of Drizzle: a table's columns, then the next field. */
function rowMapper<Row>(fields: Record<string, unknown>): (values: unknown[]) => Row {
  const groups = Object.keys(fields).filter((name) => columnsOf(fields[name]) !== null);
  const cells = Object.entries(fields).flatMap(([name, field]) => cellsOf(name, field));
  return (values) => {
    const row: Record<string, unknown> = {};
    for (const name of groups) row[name] = {};
    cells.forEach(({ group, name, decode }, i) => {
      const target = group === null ? row : (row[group] as Record<string, unknown>);
      const value = values[i];
      target[name] = value === null || decode === null ? value : decode(value);
    });
    return row as Row;
  };
}

function cellsOf(name: string, field: unknown): Cell[] {
  const columns = columnsOf(field);
  if (columns === null) return [{ group: null, name, decode: decoderOf(field) }];
  return Object.entries(columns).map(([own, column]) => ({ group: name, name: own, decode: decoderOf(column) }));
}

/** The columns of a table or of a group; null for a single field. */
function columnsOf(field: unknown): Record<string, unknown> | null {
  if (is(field, Table)) return getTableColumns(field);
  return Object.getPrototypeOf(field) === Object.prototype ? (field as Record<string, unknown>) : null;
}

/** Null for values that the driver returns as they are. */
function decoderOf(field: unknown): Cell['decode'] {
  if (!is(field, Column) || field.mapFromDriverValue === Column.prototype.mapFromDriverValue) return null;
  return (value) => field.mapFromDriverValue(value);
}
