import { and, eq, getTableName, type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '~/db/client';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { DEFAULT_LANGUAGE, type Language } from '~/locales/languages';
import { csvLine } from '../../base/csv';
import { streamFeed } from '../../feed/writer/write-feed';
import { CREATOR_BACKUP_LIMITS } from '../../limits/creator-backup';
import { whereProductPublic } from '../../policy/visibility';
import type { TxCtx } from '../../runtime/ctx';
import { feedPageOf } from '../feeds/queries';
import type { ExportedTable } from './exported-table';
import { sheetsOf } from './sheets';
import { EXPORTED_TABLES } from './tables';

/** A file that is written from the database when the zip reaches it. `onRow` is called for each row of a table. */
export type WrittenFile = { name: string; content(onRow: () => void): AsyncIterable<Buffer | string> };

export type ExportedCreator = { id: number; name: string; language: Language | null };

export const dataFile = (table: string) => `data/${table}.json`;

/** All files of a backup except stored files, read in one transaction, so that rows match each other. */
export async function* contentsOf(tx: TxCtx, creator: ExportedCreator): AsyncGenerator<WrittenFile, void> {
  // JSON files contain times in UTC
  await tx.db.execute(sql`set local time zone 'UTC'`);
  // Postgres must plan for all rows, because each cursor reads them all
  await tx.db.execute(sql`set local cursor_tuple_fraction = 1`);
  const readme = tx.translate('mail:archive.readme', { name: creator.name }, creator.language ?? DEFAULT_LANGUAGE);
  yield {
    name: 'README.txt',
    async *content() {
      yield readme;
    },
  };
  for (const exported of EXPORTED_TABLES) yield tableFile(tx.db, exported, creator.id);
  for (const [name, query] of Object.entries(sheetsOf(creator.id)))
    yield { name: `sheets/${name}.csv`, content: () => csv(tx.db, query) };
  yield* feedFiles(tx, creator);
}

/** The columns of an exported table that are in the backup. */
export const columnsOf = ({ columns, refs = {}, keys = [] }: ExportedTable) => [
  ...columns,
  ...Object.keys(refs),
  ...keys,
];

/** The rows of a creator, in the order of their ids. */
export function selectRows(exported: ExportedTable, creatorId: number): SQL {
  const names = columnsOf(exported).map((column) => {
    const shown = exported.shown?.[column]?.(creatorId);
    return shown ? sql`${shown} as ${sql.identifier(column)}` : sql`t.${sql.identifier(column)}`;
  });
  const order = (exported.identity ?? ['id']).map((column) => sql`t.${sql.identifier(column)}`);
  return sql`
    select ${sql.join(names, sql`, `)} from ${sql.identifier(getTableName(exported.table))} t
    where ${exported.where(creatorId)} order by ${sql.join(order, sql`, `)}`;
}

/** A JSON array with one row per line, in the database's own format. */
function tableFile(db: Transaction, exported: ExportedTable, creatorId: number): WrittenFile {
  async function* content(onRow: () => void) {
    const query = sql`select row_to_json(r)::text as row from (${selectRows(exported, creatorId)}) r`;
    let before = '[\n';
    for await (const { row } of inPages<{ row: string }>(db, query)) {
      onRow();
      yield before + row;
      before = ',\n';
    }
    yield before === '[\n' ? '[]\n' : '\n]\n';
  }
  return { name: dataFile(exported.name), content };
}

type Cells = Record<string, string | number | boolean | null>;

/** CSV files, for spreadsheets and other hosts. */
async function* csv(db: Transaction, query: SQL): AsyncGenerator<string, void> {
  let isFirst = true;
  // JSON formats instants as ISO 8601
  const rows = inPages<{ row: Cells }>(db, sql`select row_to_json(r) as row from (${query}) r`);
  for await (const { row } of rows) {
    if (isFirst) yield csvLine(Object.keys(row));
    isFirst = false;
    yield csvLine(Object.values(row));
  }
}

/** The rows of a query, in batches. A transaction has only one such cursor open. */
async function* inPages<Row extends object>(db: Transaction, query: SQL): AsyncGenerator<Row, void> {
  await db.execute(sql`declare archive_rows no scroll cursor for ${query}`);
  for (;;) {
    const rows = (await db.execute(
      sql`fetch ${sql.raw(String(CREATOR_BACKUP_LIMITS.rows))} from archive_rows`,
    )) as unknown as Row[];
    yield* rows;
    if (rows.length < CREATOR_BACKUP_LIMITS.rows) break;
  }
  await db.execute(sql`close archive_rows`);
}

/** The public feeds with all episodes. */
async function* feedFiles(tx: TxCtx, { id }: ExportedCreator): AsyncGenerator<WrittenFile, void> {
  const owners = await tx.db
    .select({ product: products, creator: creators })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(and(eq(creators.id, id), whereProductPublic()))
    .orderBy(products.id);
  for (const { product, creator } of owners)
    yield {
      name: `feeds/${product.id}-${product.slug}.xml`,
      async *content() {
        const feed = await feedPageOf(tx, { product: { ...product, feedLength: null }, creator }, 1);
        if (feed) yield* streamFeed(feed.show, feed.pages);
      },
    };
}
