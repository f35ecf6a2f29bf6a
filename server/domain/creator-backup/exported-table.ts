import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { IdMap } from './rules';

/**
 * A table of the backup. Each of its columns is in exactly one of the lists, which a test compares with the schema. The
 * export and the import walk through the list (tables.ts) and know no table by name.
 */
export type ExportedTable = {
  /**
   * Name of the file. A table can have two files: the owner's account has more columns than other people's accounts.
   */
  name: string;
  table: PgTable;
  /** Condition for the rows `t` of the creator. */
  where: (creatorId: number) => SQL;
  /** Columns that are copied unchanged. */
  columns: string[];
  /** Ids of rows of other exported tables, by the name of that table. */
  refs?: Record<string, string>;
  /** Columns with keys of objects, or JSON that contains keys. Keys contain ids of creators, episodes and users. */
  keys?: string[];
  /** Values that replace the values of columns in the backup. */
  shown?: Record<string, (creatorId: number) => SQL>;
  /** What the import changes in a row, beyond ids and keys. */
  adapt?: (row: Record<string, unknown>, ids: IdMap) => Promise<Record<string, unknown>>;
  /** Columns that the import checks like a form. */
  html?: string[];
  urls?: string[];
  colors?: string[];
  slugs?: string[];
  /** Lists of texts, with the form's limits. */
  lists?: Record<string, { items: number; length: number }>;
  /** Backups that were made before the table was added lack its file. */
  isLater?: boolean;
  /** Another creator may have an equal row: then the import skips the row of the backup. */
  isShared?: boolean;
  /** The reason for each column that is left out. */
  leftOut?: Record<string, string>;
  /** Columns of the primary key, if its id is not generated. */
  identity?: string[];
};

export const OWNER = 'owner';
export const PEOPLE = 'people';

export const words = (text: string) => text.split(/\s+/);
/** Columns that are left out for one reason. */
export const leftOutFor = (reason: string, columns: string[]): Record<string, string> =>
  Object.fromEntries(columns.map((column) => [column, reason]));
export const TIMES = 'created_at updated_at';

export const ofCreator = (creatorId: number) => sql`t.creator_id = ${creatorId}`;
export const ownerOf = (creatorId: number) => sql`(select user_id from creators where id = ${creatorId})`;
export const ofProducts = (creatorId: number) =>
  sql`t.product_id in (select id from products where creator_id = ${creatorId})`;
export const ofEpisodes = (creatorId: number) =>
  sql`t.episode_id in (select id from episodes where creator_id = ${creatorId})`;
/** Grants that the creator may see: all except those of users who follow a paid show without paying. */
export const seenGrants = (creatorId: number) =>
  sql`${ofProducts(creatorId)} and (
    t.source <> 'follow' or exists (select from products p where p.id = t.product_id and p.price_minor is null))`;
